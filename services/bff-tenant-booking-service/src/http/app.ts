import { type App, registerAt } from '@melmastoon/chassis/http'
import { text } from '@melmastoon/upstream-contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rejectStaleBootstrap } from '../bootstrap/bootstrap-version.ts'
import type { BookingContext } from '../context.ts'
import { createBookingLimitHook } from './limit-requests.ts'
import { createBookingSessionHook } from './request-guest.ts'
import { createSiteHook, TENANT_SLUG } from './request-site.ts'
import { registerRoutes, SITE_PROBLEMS } from './routes/index.ts'
import { receivePaymentWebhookRoute } from './routes/receive-payment-webhook.ts'

const BASE = '/bff/tenant-booking/v1'

/** By path on the shared host, and by the site's own host (D24); the first one is documented. */
const ADDRESSES = [
  { prefix: `${BASE}/:${TENANT_SLUG}`, params: { [TENANT_SLUG]: text(255) } },
  { prefix: '/api' },
] as const

/** Hooks, then routes: requests pass them in this order. */
export function registerBookingRoutes(app: App, ctx: BookingContext): void {
  const site = createSiteHook(ctx)
  const session = createBookingSessionHook(ctx)
  const limited = createBookingLimitHook(ctx, session)
  registerAt(app, ADDRESSES, (scope) => {
    scope.addHook('onRoute', (route) => {
      const { problems = [] } = route.config ?? {}
      route.config = { ...route.config, problems: [...SITE_PROBLEMS, ...problems] }
    })
    scope.addHook('onRequest', site)
    scope.addHook('onRequest', rejectStalePage)
    scope.addHook('onRequest', session.hook)
    scope.addHook('onRequest', limited)
    registerRoutes(scope, ctx, { session })
  })
  receivePaymentWebhookRoute(app, ctx)
}

function rejectStalePage(
  { headers, site }: FastifyRequest,
  _reply: FastifyReply,
  done: () => void,
): void {
  const held = headers['x-bootstrap-version']
  rejectStaleBootstrap(typeof held === 'string' ? held : undefined, site)
  done()
}
