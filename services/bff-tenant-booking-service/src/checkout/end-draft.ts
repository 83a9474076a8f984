import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { problem } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import { requireOwnBooking } from '../bookings/read-own-booking.ts'
import type { Draft } from '../drafts/draft.ts'
import { abandonedEvent, draftCause } from '../drafts/draft-messages.ts'
import { factsOf, illegalTransition, isFinal, moveDraft } from '../drafts/draft-states.ts'
import { deriveKey } from '../fulfilment/derive-key.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import type { CheckoutDeps } from './checkout-deps.ts'
import { endDraft } from './checkout-sql.ts'
import { type SettleRequest, settleNow } from './settle-now.ts'

export type EndReason = 'abandoned' | 'deleted'

export interface EndInput extends UpstreamCall {
  readonly reason: EndReason
  readonly cause: EventContext
}

/**
 * Ends a draft that never had a payment: draft, snapshot and event in one statement. The rooms are
 * released afterwards; if that fails, the hold expires by itself.
 * @returns null when the draft changed meanwhile.
 */
export async function endUnpaidDraft(
  deps: CheckoutDeps,
  { draft, now }: Booking,
  { reason, cause, ...call }: EndInput,
): Promise<Draft | null> {
  const at = cause.occurredAt
  const isDeleted = reason === 'deleted'
  const moved = moveDraft(draft, {
    event: isDeleted ? 'draft.deleted' : 'draft.expired',
    actor: isDeleted ? 'guest' : 'sweeper',
    facts: factsOf(draft, false, at),
    at,
  })
  const outcome = { reason, refunded: null, paymentMethod: null, paymentProvider: null }
  const after = { ...moved, outcome }
  const events = [abandonedEvent(after, draftCause(draft, cause))]
  const statement = endDraft({
    draft,
    after,
    finalState: 'abandoned',
    events,
    onlyIfDue: !isDeleted,
  })
  const [done] = await deps.db.tenantQuery(draft.tenantId, statement)
  if (done === undefined) return null
  deps.hotDrafts.store(after)
  const isHeld = Date.parse(draft.holdExpiresAt) > now.getTime()
  if (isHeld) await releaseRooms(deps, draft, { reason, ...call }).catch(() => undefined)
  return after
}

async function releaseRooms(
  { upstreams, fulfilmentKeys }: CheckoutDeps,
  { id: draftId, tenantId, reservationId, holdNo }: Draft,
  { reason, deadline, trace }: UpstreamCall & { readonly reason: EndReason },
): Promise<void> {
  const step = { tenantId, draftId, step: 'cancel-stay', n: holdNo }
  const idempotencyKey = deriveKey(fulfilmentKeys, step)
  const input = { params: { reservationId }, body: { reasonCode: reason } }
  await upstreams.reservation.cancel(input, { tenantId, deadline, trace, idempotencyKey })
}

export interface DeleteRequest extends Omit<SettleRequest, 'trigger' | 'closing'> {
  readonly cause: () => EventContext
}

/**
 * The guest gives up. An open payment is closed first; money that has arrived meanwhile is not
 * given up: the stay is confirmed, and the guest cancels it with the hotel.
 * @throws Problem PAYMENT_CAPTURED
 */
export async function deleteDraft(deps: CheckoutDeps, request: DeleteRequest): Promise<Booking> {
  const booking = await requireOwnBooking(deps, request)
  const { draft, record } = booking
  if (draft.state === 'abandoned') return booking
  if (isFinal(draft.state)) throw illegalTransition(draft.state, 'draft.deleted')
  if (record === null) {
    const { deadline, trace } = request
    const input = { reason: 'deleted', cause: request.cause(), deadline, trace } as const
    const ended = await endUnpaidDraft(deps, booking, input)
    if (ended === null) throw problem('MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT')
    return { ...booking, draft: ended }
  }
  const settled = await settleNow(deps, { ...request, trigger: 'delete', closing: 'deleted' })
  if (settled.record?.decision === 'confirm') {
    throw problem('MELMASTOON.BFF.TENANT.PAYMENT_CAPTURED')
  }
  return settled
}
