import type { ProvisionalResponse } from '@melmastoon/chassis/http'
import type { Mutation } from '@melmastoon/chassis/idempotency'
import { ownView } from '../bookings/read-own-booking.ts'
import type { BookingContext } from '../context.ts'
import { isFinal } from '../drafts/draft-states.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import { isActive } from '../payments/attempt.ts'
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
  const { draft, attempts } = booking
  const body = withConfirmationLink(ctx, site, ownView(ctx, booking))
  const isPending =
    draft.state === 'confirming' || (!isFinal(draft.state) && attempts.some(isActive))
  if (!isPending) return { response: { status: 200, body } }
  const headers = { 'retry-after': RETRY_AFTER_SECONDS }
  return { provisional: { status: 202, body, headers } }
}
