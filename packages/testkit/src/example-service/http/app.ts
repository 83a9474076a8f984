import { type App, createLimitHook, createSessionHook } from '@melmastoon/chassis/http'
import type { Limiter } from '@melmastoon/chassis/limits'
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
  const keyOf = (request: FastifyRequest) => {
    const lookup = session.lookupOf(request)
    return lookup.kind === 'found' ? lookup.session.id : request.ip
  }
  const limitBy = (limiter: Limiter) =>
    createLimitHook((request) => ({ own: { limiter, key: keyOf(request) } }))
  const reads = limitBy(ctx.limits.reads)
  const writes = limitBy(ctx.limits.writes)
  registerRoutes(app, ctx, { session, reads, writes })
}
