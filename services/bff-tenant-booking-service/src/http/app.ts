import { serveMessages } from '@melmastoon/bff/languages'
import { type App, registerAt } from '@melmastoon/chassis/http'
import type { ProblemCode } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { BookingContext } from '../context.ts'
import { SHARED_API_PATH } from '../site/site.ts'
import { fastRoutes } from './fast-path/index.ts'
import { createBookingLimitHook } from './limit-requests.ts'
import { createBookingSessionHook } from './request-guest.ts'
import { checkSiteHeaders, createSiteHook, TENANT_SLUG } from './request-site.ts'
import {
  registerRoutes,
  SITE_HEADERS,
  SITE_PROBLEMS,
  SITE_REQUEST_HEADERS,
} from './routes/index.ts'
import { receivePaymentWebhookRoute } from './routes/receive-payment-webhook.ts'

const Slug = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Of the hotel. Its own host identifies it otherwise.',
})

/** By path on the shared host, and by the site's own host (D24); the first one is documented. */
const ADDRESSES = [
  { prefix: `${SHARED_API_PATH}/:${TENANT_SLUG}`, params: { [TENANT_SLUG]: Slug } },
  { prefix: '/api' },
] as const

/** Hooks, then routes: requests pass them in this order. */
export function registerBookingRoutes(app: App, ctx: BookingContext): void {
  const site = createSiteHook(ctx)
  const session = createBookingSessionHook(ctx)
  const limited = createBookingLimitHook(ctx, session)
  app.fastPath.add(fastRoutes(ctx))
  registerAt(app, ADDRESSES, (scope) => {
    scope.addHook('onRoute', (route) => {
      const config = route.config ?? {}
      const { problems = [], responseHeaders = [], documentedHeaders, servesSuspended } = config
      const common = servesSuspended ? SITE_PROBLEMS.filter(isNotSuspended) : SITE_PROBLEMS
      route.config = {
        ...route.config,
        problems: [...common, ...problems],
        responseHeaders: [...SITE_HEADERS, ...responseHeaders],
        documentedHeaders: { ...SITE_REQUEST_HEADERS, ...documentedHeaders },
      }
    })
    scope.addHook('onRequest', site)
    scope.addHook('onRequest', rejectHeaders)
    scope.addHook('onRequest', session.hook)
    scope.addHook('onRequest', limited)
    registerRoutes(scope, ctx, { session })
  })
  registerAt(app, [{ prefix: SHARED_API_PATH }, { prefix: '/api' }], (scope) =>
    serveMessages(scope, {
      path: '/messages/:locale',
      operation: 'booking.message.list',
      notSupported: 'MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED',
    }),
  )
  receivePaymentWebhookRoute(app, ctx)
}

function rejectHeaders(
  { headers, site }: FastifyRequest,
  _reply: FastifyReply,
  done: () => void,
): void {
  checkSiteHeaders(headers, site)
  done()
}

function isNotSuspended(code: ProblemCode): boolean {
  return code !== 'MELMASTOON.BFF.TENANT.SITE_SUSPENDED'
}
