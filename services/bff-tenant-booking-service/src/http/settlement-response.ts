import type { ProvisionalResponse } from '@melmastoon/chassis/http'
import type { Mutation, ResponseDraft } from '@melmastoon/chassis/idempotency'
import { draftHeaders } from '../bookings/draft-view.ts'
import { ownView } from '../bookings/read-own-booking.ts'
import type { BookingContext } from '../context.ts'
import { type Booking, isInProgress } from '../fulfilment/fulfilment.ts'
import type { Site } from '../site/site.ts'
import { withConfirmationLink } from './confirmed-draft.ts'

const RETRY_AFTER_SECONDS = '2'

/**
 * The state of a booking after it was settled as far as possible. While a payment is undecided or
 * being carried out, the response is 202 and is not stored: a repeated request sees the progress.
 */
export function settlementResponse(
  ctx: BookingContext,
  site: Site,
  booking: Booking,
): Mutation | ProvisionalResponse {
  const settled = settledResponse(ctx, site, booking)
  if (!isInProgress(booking)) return { response: settled }
  const headers = { ...settled.headers, 'retry-after': RETRY_AFTER_SECONDS }
  return { provisional: { ...settled, status: 202, headers } }
}

/** The response to a request that finds the booking settled, or settles it. */
export function settledResponse(ctx: BookingContext, site: Site, booking: Booking): ResponseDraft {
  const body = withConfirmationLink(ctx, site, ownView(ctx, booking))
  return { status: 200, body, headers: draftHeaders(body) }
}
