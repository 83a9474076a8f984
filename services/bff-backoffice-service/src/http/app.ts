import { serveMessages } from '@melmastoon/bff/languages'
import { type App, registerAt } from '@melmastoon/chassis/http'
import type { BackofficeContext } from '../context.ts'
import { createChallengeHook } from './challenge.ts'
import { PREFIXES } from './prefixes.ts'
import { attachActivity, createRejectionHandler } from './request-activity.ts'
import { createOperatorHook, requireRoleRow } from './request-operator.ts'
import { commonProblems, registerRoutes } from './routes/index.ts'

const [internal, gateway] = PREFIXES
const ADDRESSES = [{ prefix: internal }, { prefix: gateway }] as const

/** Hooks, then routes: requests pass them in this order. */
export function registerBackofficeRoutes(app: App, ctx: BackofficeContext): void {
  const authenticate = createOperatorHook(ctx)
  const challenge = createChallengeHook(ctx)
  // A stream is a request in flight until it is ended.
  app.addHook('preClose', () => ctx.streams.stop())
  registerAt(app, ADDRESSES, (scope) =>
    serveMessages(scope, {
      path: '/messages/:locale',
      operation: 'staff.message.list',
      notSupported: 'MELMASTOON.BFF.BACKOFFICE.LOCALE_NOT_SUPPORTED',
    }),
  )
  registerAt(app, ADDRESSES, (scope) => {
    scope.addHook('onRoute', requireRoleRow)
    scope.addHook('onRoute', attachActivity)
    scope.setErrorHandler(createRejectionHandler(ctx))
    scope.addHook('onRoute', (route) => {
      const { problems = [], operation = '' } = route.config ?? {}
      route.config = { ...route.config, problems: [...commonProblems(operation), ...problems] }
    })
    scope.addHook('onRequest', authenticate)
    scope.addHook('onError', challenge)
    registerRoutes(scope, ctx)
  })
}
