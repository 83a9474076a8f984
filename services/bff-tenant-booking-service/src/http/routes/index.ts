import type { App } from '@melmastoon/chassis/http'
import type { ProblemCode } from '@melmastoon/domain'
import type { BookingContext } from '../../context.ts'
import type { BookingSessionHook } from '../request-guest.ts'
import { consumeHandoffRoute } from './consume-handoff.ts'
import { createQuoteRoute } from './create-quote.ts'
import { listPoliciesRoute } from './list-policies.ts'
import { readAvailabilityRoute } from './read-availability.ts'
import { readCalendarRoute } from './read-calendar.ts'
import { readConfirmationRoute } from './read-confirmation.ts'

export interface Hooks {
  readonly session: BookingSessionHook
}

/** Every route of a site can reject with these; a route lists the others in `config.problems`. */
export const SITE_PROBLEMS: readonly ProblemCode[] = [
  'MELMASTOON.BFF.TENANT.SITE_NOT_FOUND',
  'MELMASTOON.BFF.TENANT.SITE_SUSPENDED',
  'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE',
  'MELMASTOON.GENERAL.RATE_LIMITED',
]

/** All routes of a site, registered at each of its addresses. */
export function registerRoutes(scope: App, ctx: BookingContext, hooks: Hooks): void {
  listPoliciesRoute(scope, ctx, hooks)
  consumeHandoffRoute(scope, ctx, hooks)
  readAvailabilityRoute(scope, ctx, hooks)
  createQuoteRoute(scope, ctx, hooks)
  readConfirmationRoute(scope, ctx, hooks)
  readCalendarRoute(scope, ctx, hooks)
}
