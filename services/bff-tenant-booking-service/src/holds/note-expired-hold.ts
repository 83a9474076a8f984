import { toIsoDateTime } from '@melmastoon/domain'
import type { HotDrafts } from '../bookings/hot-drafts.ts'
import type { OwnBookingDeps } from '../bookings/read-own-booking.ts'
import { type Draft, withError } from '../drafts/draft.ts'
import {
  draftCause,
  errorEvents,
  type FlowError,
  type MessageDeps,
} from '../drafts/draft-messages.ts'
import { saveDraftWithEvents } from '../drafts/draft-sql.ts'
import { factsOf, moveDraft } from '../drafts/draft-states.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import type { BookingActor } from '../sessions/booking-actor.ts'

export interface NoteDeps extends OwnBookingDeps, MessageDeps {
  readonly hotDrafts: HotDrafts
}

const CODE = 'MELMASTOON.BFF.TENANT.HOLD_EXPIRED'

/**
 * The trail and an event tell that the guest met an expired hold, once per hold. If the draft has
 * changed meanwhile, nothing is written: the response does not depend on it.
 */
export async function noteExpiredHold(
  deps: NoteDeps,
  { draft, now }: Booking,
  { cause, deadline }: Pick<BookingActor, 'cause' | 'deadline'>,
): Promise<void> {
  if (isNoted(draft)) return
  const error: FlowError = {
    code: CODE,
    atState: draft.state,
    upstream: 'reservation-service',
    at: toIsoDateTime(now),
    userActionable: true,
  }
  const facts = factsOf(draft, false, now)
  const moved = moveDraft(draft, { event: 'hold.expired', actor: 'service', facts, at: now })
  const events = errorEvents(deps, draft, { error, cause: draftCause(draft, cause()) })
  const statement = saveDraftWithEvents(draft, withError(moved, error), events)
  await deps.db.tenantQuery(draft.tenantId, statement, { deadline })
}

function isNoted({ errors, holdExpiresAt }: Draft): boolean {
  return errors.some(({ code, at }) => code === CODE && at >= holdExpiresAt)
}
