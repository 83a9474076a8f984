import { problem } from '@melmastoon/domain'
import { draftHeaders } from '../bookings/draft-view.ts'
import { ownView, requireOwnBooking } from '../bookings/read-own-booking.ts'
import { type Draft, type Terms, touched } from '../drafts/draft.ts'
import { EFFECTIVE, saveDraft } from '../drafts/draft-sql.ts'
import { factsOf, moveDraft } from '../drafts/draft-states.ts'
import { priceChange } from '../drafts/price-change.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import { moveRecord } from '../fulfilment/fulfilment-sql.ts'
import { isActive } from '../payments/attempt.ts'
import { type ChangeRequest, type ExtendDeps, rejectHold } from './extend-hold.ts'
import { claimedWithoutPayment } from './no-payment-sql.ts'
import { noteExpiredHold } from './note-expired-hold.ts'

const ROUNDS_MAX = 4

/**
 * The guest agrees to changed terms: the hold takes the new price and keeps its rooms. The digest
 * names the terms, so that nobody agrees to terms they have not seen.
 */
export async function acceptPrice(
  deps: ExtendDeps,
  request: ChangeRequest,
  digest: string,
): Promise<undefined> {
  const { site, session, draftId, deadline } = request
  const own = { tenantId: site.tenantId, sessionId: session.id, draftId, deadline }
  let booking = await requireOwnBooking(deps, own)
  const terms = await acceptedTerms(deps, booking, { request, digest })
  const { reservationId } = booking.draft
  await reprice(deps, booking, { request, terms })
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (await commitTerms(deps, { request, booking, terms })) return undefined
    booking = await requireOwnBooking(deps, own)
    const isSame = booking.draft.reservationId === reservationId && isPending(booking, terms)
    if (!isSame) break
  }
  throw problem('MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT')
}

function isPending({ draft }: Booking, { digest }: Terms): boolean {
  return draft.changedTerms?.digest === digest
}

/** @throws Problem why they cannot be accepted. */
async function acceptedTerms(
  deps: ExtendDeps,
  booking: Booking,
  { request, digest }: { readonly request: ChangeRequest; readonly digest: string },
): Promise<Terms> {
  const { draft, record, attempts, now } = booking
  const isPaying = attempts.some(isActive) || (record?.decision ?? null) !== null
  if (isPaying) throw problem('MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS')
  moveDraft(draft, accepted(draft, now))
  const { changedTerms } = draft
  if (changedTerms === null) throw new TypeError('the table requires changed terms')
  if (changedTerms.digest !== digest) {
    const extensions = priceChange(draft.terms, changedTerms)
    throw problem('MELMASTOON.BFF.TENANT.PRICE_CHANGED', { extensions })
  }
  if (factsOf(draft, false, now).isHoldActive) return changedTerms
  await noteExpiredHold(deps, booking, request)
  throw problem('MELMASTOON.BFF.TENANT.HOLD_EXPIRED')
}

function accepted(draft: Draft, at: Date) {
  const facts = factsOf(draft, false, at)
  return { event: 'price.accepted', actor: 'guest', facts, at } as const
}

interface Acceptance {
  readonly request: ChangeRequest
  readonly terms: Terms
}

async function reprice(
  deps: ExtendDeps,
  booking: Booking,
  { request, terms }: Acceptance,
): Promise<void> {
  const { reservationId, tenantId } = booking.draft
  const { claim, deadline, trace } = request
  const body = { quoteId: terms.quoteId, expectedDigest: terms.digest }
  const options = { deadline, trace, tenantId, idempotencyKey: claim.upstreamKey('reprice') }
  await deps.upstreams.reservation
    .reprice({ params: { reservationId }, body }, options)
    .catch((error: unknown) => rejectHold(deps, { booking, request }, error))
}

async function commitTerms(
  deps: ExtendDeps,
  { request, booking, terms }: Acceptance & { readonly booking: Booking },
): Promise<boolean> {
  const { draft, now } = booking
  const moved = touched(moveDraft(draft, accepted(draft, now)), now)
  const after: Draft = { ...moved, terms, changedTerms: null }
  const onlyIf = claimedWithoutPayment(draft.id)
  const isDone = await request.claim.complete({
    effect: saveDraft(draft, after, { onlyIf, touches: true }),
    furtherEffects: [moveRecord(after, EFFECTIVE)],
    response: {
      status: 200,
      body: ownView(deps, { ...booking, draft: after }),
      headers: draftHeaders(after),
    },
  })
  if (isDone) deps.hotDrafts.store(after)
  return isDone
}
