import { readClientInfo } from '@melmastoon/bff/guests'
import { type App, createSessionHook } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../context.ts'
import { COOKIE_NAME } from '../sessions/guest-session.ts'
import { derivedGuestSession } from '../sessions/new-guest-session.ts'
import { createEarlyVisits } from './early-visits.ts'
import { fastRoutes } from './fast-path/index.ts'
import { createProtection, limitClassOf } from './protect.ts'
import { registerRoutes } from './routes/index.ts'

/** Hooks, then routes: requests pass them in this order. */
export function registerConsumerRoutes(app: App, ctx: ConsumerContext): void {
  const earlyVisits = createEarlyVisits(ctx)
  const session = createSessionHook(ctx.sessions, {
    cookieName: COOKIE_NAME,
    initialData: (request, id) => derivedGuestSession(id, readClientInfo(request), ctx),
    onRead: (request, id) => {
      if (limitClassOf(request) === 'read') ctx.limits.read.prepare(id)
      earlyVisits.begin(request, id)
    },
  })
  app.fastPath.add(fastRoutes(ctx))
  registerRoutes(app, ctx, { session, ...createProtection(ctx, session, earlyVisits) })
}
