import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { type DraftId, problem } from '@melmastoon/domain'
import type { KeyRing } from '@melmastoon/security'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { draftHeaders } from '../bookings/draft-view.ts'
import { type OwnBookingDeps, ownView, requireOwnBooking } from '../bookings/read-own-booking.ts'
import { type Draft, termsOf, touched } from '../drafts/draft.ts'
import { EFFECTIVE, saveDraft } from '../drafts/draft-sql.ts'
import { factsOf, moveDraft } from '../drafts/draft-states.ts'
import { deriveKey } from '../fulfilment/derive-key.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import { moveRecord } from '../fulfilment/fulfilment-sql.ts'
import { isActive } from '../payments/attempt.ts'
import { agreedQuote } from './agreed-quote.ts'
import { deriveDraftId, type HeldReservation, holdRooms } from './hold-rooms.ts'
import { claimedWithoutPayment } from './no-payment-sql.ts'
import { type HoldRequest, type PlaceHoldDeps, rememberDraft } from './place-hold.ts'

export interface ReplaceHoldDeps extends Omit<PlaceHoldDeps, 'db'>, OwnBookingDeps {
  readonly fulfilmentKeys: KeyRing
}

/** Another tab may save details meanwhile; then the statement is repeated with what it saved. */
const ROUNDS_MAX = 4

/**
 * Holds again after the hold has expired, or holds another room, and keeps the details of the
 * guest. The new rooms are held first, so that a guest never loses a room for one that is gone.
 */
export async function replaceHold(
  deps: ReplaceHoldDeps,
  request: HoldRequest,
  draftId: DraftId,
): Promise<undefined> {
  const { site, session, body, claim, deadline } = request
  const own = { tenantId: site.tenantId, sessionId: session.id, draftId, deadline }
  const first = await requireOwnBooking(deps, own)
  checkReplaceable(first)
  const quote = await agreedQuote(deps, { tenantId: site.tenantId, body }, request)
  const holderId = deriveDraftId(quote, claim)
  const held = await holdRooms(deps, { ...request, quote, holderId }, request)
  let booking = first
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const isSame = booking.draft.holdNo === first.draft.holdNo && isReplaceable(booking)
    if (!isSame) break
    if (await commitReplacement(deps, { request, booking, quote, held })) return undefined
    booking = await requireOwnBooking(deps, own)
  }
  releaseLater(deps, { ...first.draft, reservationId: held.reservationId }, 'hold_not_used')
  throw problem('MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT')
}

function isReplaceable({ record, attempts }: Booking): boolean {
  return (record === null || record.decision === null) && !attempts.some(isActive)
}

/** @throws Problem before any room is held. */
function checkReplaceable(booking: Booking): void {
  const { draft, now } = booking
  if (!isReplaceable(booking)) throw problem('MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS')
  moveDraft(draft, replaced(draft, now))
}

function replaced(draft: Draft, at: Date) {
  const facts = factsOf(draft, false, at)
  return { event: 'hold.replaced', actor: 'guest', facts, at } as const
}

interface Replacement {
  readonly request: HoldRequest
  readonly booking: Booking
  readonly quote: Quote
  readonly held: HeldReservation
}

/** False: the draft has changed, or a payment was started, since it was read. */
async function commitReplacement(
  deps: ReplaceHoldDeps,
  { request, booking, quote, held }: Replacement,
): Promise<boolean> {
  const { draft, now } = booking
  const after: Draft = {
    ...touched(moveDraft(draft, replaced(draft, now)), now),
    reservationId: held.reservationId,
    reservationCode: held.code,
    terms: termsOf(quote),
    changedTerms: null,
    holdExpiresAt: held.holdExpiresAt,
    holdNo: draft.holdNo + 1,
    guestExtensions: 0,
    serviceExtensions: 0,
  }
  const onlyIf = claimedWithoutPayment(draft.id)
  const isDone = await request.claim.complete({
    effect: saveDraft(draft, after, { onlyIf, touches: true }),
    furtherEffects: [moveRecord(after, EFFECTIVE)],
    response: {
      status: 201,
      body: ownView(deps, { ...booking, draft: after }),
      headers: draftHeaders(after),
    },
  })
  if (!isDone) return false
  deps.hotDrafts.store(after)
  rememberDraft(deps, request, after)
  releaseLater(deps, draft, 'hold_replaced')
  return true
}

const RELEASE_MS = 5_000

/** Best effort: rooms that are not released here are released when their hold expires. */
function releaseLater(deps: ReplaceHoldDeps, draft: Draft, reasonCode: string): void {
  const { tenantId, id: draftId, reservationId } = draft
  const step = `cancel-hold:${reservationId}`
  const idempotencyKey = deriveKey(deps.fulfilmentKeys, { tenantId, draftId, step, n: 1 })
  deps.background.run(`release ${reservationId}`, async () => {
    using deadline = createDeadline(RELEASE_MS)
    await deps.upstreams.reservation.cancel(
      { params: { reservationId }, body: { reasonCode } },
      { deadline, trace: newTrace(), tenantId, idempotencyKey },
    )
  })
}
