import type { App, ResponseHeader } from '@melmastoon/chassis/http'
import type { ProblemCode } from '@melmastoon/domain'
import type { BookingContext } from '../../context.ts'
import type { BookingSessionHook } from '../request-guest.ts'
import { acceptPriceRoute } from './accept-price.ts'
import { confirmBookingRoute } from './confirm-booking.ts'
import { consumeHandoffRoute } from './consume-handoff.ts'
import { createQuoteRoute } from './create-quote.ts'
import { deleteDraftRoute } from './delete-draft.ts'
import { extendHoldRoute } from './extend-hold.ts'
import { getBootstrapRoute } from './get-bootstrap.ts'
import { getDraftRoute } from './get-draft.ts'
import { getKeyUsesRoute } from './get-key-uses.ts'
import { listPoliciesRoute } from './list-policies.ts'
import { placeHoldRoute } from './place-hold.ts'
import { readAvailabilityRoute } from './read-availability.ts'
import { readCalendarRoute } from './read-calendar.ts'
import { readConfirmationRoute } from './read-confirmation.ts'
import { requestPaymentRoute } from './request-payment.ts'
import { returnFromPaymentRoute } from './return-from-payment.ts'
import { saveDetailsRoute } from './save-details.ts'
import { setConsentRoute } from './set-consent.ts'
import { setCurrencyRoute } from './set-currency.ts'
import { setLocaleRoute } from './set-locale.ts'

export interface Hooks {
  readonly session: BookingSessionHook
}

/** Every route of a site can reject with these; a route lists the others in `config.problems`. */
export const SITE_PROBLEMS: readonly ProblemCode[] = [
  'MELMASTOON.BFF.TENANT.SITE_NOT_FOUND',
  'MELMASTOON.BFF.TENANT.SITE_SUSPENDED',
  'MELMASTOON.BFF.TENANT.BOOTSTRAP_STALE',
  'MELMASTOON.BFF.TENANT.CURRENCY_NOT_SUPPORTED',
  'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE',
  'MELMASTOON.BFF.UPSTREAM_TIMEOUT',
  'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN',
  'MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED',
  'MELMASTOON.GENERAL.RATE_LIMITED',
]

/** Of every successful response of a site. */
export const SITE_HEADERS: readonly ResponseHeader[] = ['RateLimit', 'RateLimit-Policy']

/** For the document: what every request to a site may send. */
export const SITE_REQUEST_HEADERS = {
  'accept-language': {
    type: 'string',
    description: 'Chooses among the locales of the site until the session has one.',
    examples: ['fa-AF, en;q=0.5'],
  },
  'x-currency': {
    type: 'string',
    description: 'The currency of this response, one of the site; 422 otherwise.',
    examples: ['AED'],
  },
  'x-bootstrap-version': {
    type: 'string',
    description: '`X-Bootstrap-Version` of the bootstrap; 410 when it is too old.',
    examples: ['3.2'],
  },
} as const

/** All routes of a site, registered at each of its addresses. */
export function registerRoutes(scope: App, ctx: BookingContext, hooks: Hooks): void {
  getBootstrapRoute(scope, ctx, hooks)
  listPoliciesRoute(scope, ctx, hooks)
  consumeHandoffRoute(scope, ctx, hooks)
  setLocaleRoute(scope, ctx, hooks)
  setCurrencyRoute(scope, ctx, hooks)
  setConsentRoute(scope, ctx, hooks)
  getKeyUsesRoute(scope, ctx, hooks)
  readAvailabilityRoute(scope, ctx, hooks)
  createQuoteRoute(scope, ctx, hooks)
  placeHoldRoute(scope, ctx, hooks)
  getDraftRoute(scope, ctx, hooks)
  saveDetailsRoute(scope, ctx, hooks)
  extendHoldRoute(scope, ctx, hooks)
  acceptPriceRoute(scope, ctx, hooks)
  readConfirmationRoute(scope, ctx, hooks)
  readCalendarRoute(scope, ctx, hooks)
  requestPaymentRoute(scope, ctx, hooks)
  returnFromPaymentRoute(scope, ctx, hooks)
  confirmBookingRoute(scope, ctx, hooks)
  deleteDraftRoute(scope, ctx, hooks)
}
