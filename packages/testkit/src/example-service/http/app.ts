import { type App, createLimitHook, createSessionHook } from '@melmastoon/chassis/http'
import type { FastifyRequest } from 'fastify'
import type { ExampleContext } from '../context.ts'
import { COOKIE_NAME, INITIAL_DATA } from '../sessions/guest-session.ts'
import { registerRoutes } from './routes/index.ts'

/** Hooks, then routes: requests pass them in this order. */
export function registerExampleRoutes(app: App, ctx: ExampleContext): void {
  const session = createSessionHook(ctx.sessions, {
    cookieName: COOKIE_NAME,
    initialData: () => INITIAL_DATA,
  })
  const guestOf = (request: FastifyRequest) => {
    const lookup = session.lookupOf(request)
    return lookup.kind === 'found' ? lookup.session.id : request.ip
  }
  const reads = createLimitHook(ctx.limits.reads, guestOf)
  const writes = createLimitHook(ctx.limits.writes, guestOf)
  registerRoutes(app, ctx, { session, reads, writes })
}
