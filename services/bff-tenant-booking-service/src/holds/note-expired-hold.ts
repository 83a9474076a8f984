import { type IsoDateTime, toIsoDateTime } from '@melmastoon/domain'
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
 * The trail and an event tell that the guest met an expired hold, once per hold. A hold that ended
 * earlier upstream than it was expected to is stored as ended. If the draft has changed meanwhile,
 * nothing is written: the response does not depend on it.
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
  const ended = { ...moved, holdExpiresAt: earlier(draft.holdExpiresAt, now) }
  const after = withError(ended, error)
  const statement = saveDraftWithEvents(draft, after, events)
  const rows = await deps.db.tenantQuery(draft.tenantId, statement, { deadline })
  if (rows.length > 0) deps.hotDrafts.store(after)
}

function earlier(expected: IsoDateTime, now: Date): IsoDateTime {
  return Date.parse(expected) < now.getTime() ? expected : toIsoDateTime(now)
}

function isNoted({ errors, holdExpiresAt }: Draft): boolean {
  return errors.some(({ code, at }) => code === CODE && at >= holdExpiresAt)
}
