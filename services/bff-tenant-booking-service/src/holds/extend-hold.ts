import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Claim } from '@melmastoon/chassis/idempotency'
import { isProblem, problem, toIsoDateTime } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import { draftHeaders } from '../bookings/draft-view.ts'
import type { HotDrafts } from '../bookings/hot-drafts.ts'
import { type OwnBookingDeps, ownView, requireOwnBooking } from '../bookings/read-own-booking.ts'
import { type Draft, GUEST_EXTENSIONS_MAX, laterHold, touched, withError } from '../drafts/draft.ts'
import {
  draftCause,
  errorEvents,
  type FlowError,
  type MessageDeps,
} from '../drafts/draft-messages.ts'
import { CLAIMED, saveDraft } from '../drafts/draft-sql.ts'
import { factsOf, moveDraft } from '../drafts/draft-states.ts'
import { type RecheckDeps, recheckPrice } from '../drafts/recheck-price.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import type { GuestDataDeps } from '../guests/sealed-guest.ts'
import { isActive } from '../payments/attempt.ts'
import type { BookingActor } from '../sessions/booking-actor.ts'
import { describeExtension, type ExtensionCheck } from './extension-view.ts'
import { type HoldRoomsDeps, holdProblem } from './hold-rooms.ts'
import { noteExpiredHold } from './note-expired-hold.ts'

export interface ExtendDeps extends OwnBookingDeps, MessageDeps, GuestDataDeps, RecheckDeps {
  readonly upstreams: HoldRoomsDeps['upstreams'] & RecheckDeps['upstreams']
  readonly hotDrafts: HotDrafts
}

export interface ChangeRequest extends BookingActor {
  readonly draftId: Draft['id']
  readonly claim: Pick<Claim, 'upstreamKey' | 'complete'>
}

/** Another tab may change the draft meanwhile: then the statement is repeated with its change. */
const ROUNDS_MAX = 4

/** Extends the hold on request of the guest, and tells whether the price has changed (D11). */
export async function extendHold(deps: ExtendDeps, request: ChangeRequest): Promise<undefined> {
  const { site, session, draftId, deadline } = request
  const own = { tenantId: site.tenantId, sessionId: session.id, draftId, deadline }
  let booking = await requireOwnBooking(deps, own)
  await checkExtendable(deps, booking, request)
  const [extended, check] = await Promise.all([
    extendUpstream(deps, booking, request),
    recheckOrUnknown(deps, booking.draft, request),
  ])
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (await commitExtension(deps, { request, booking, extended, check })) return undefined
    booking = await requireOwnBooking(deps, own)
    if (booking.draft.reservationId !== extended.reservationId) break
  }
  throw problem('MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT')
}

/** @throws Problem before the reservation service is asked. */
async function checkExtendable(
  deps: ExtendDeps,
  booking: Booking,
  request: ChangeRequest,
): Promise<void> {
  const { draft, attempts, now } = booking
  const facts = factsOf(draft, attempts.some(isActive), now)
  const isOver = draft.guestExtensions >= GUEST_EXTENSIONS_MAX
  moveDraft(draft, {
    event: 'hold.extended',
    actor: 'guest',
    facts: isOver ? { ...facts, guestExtensionsLeft: 1 } : facts,
    at: now,
  })
  if (isOver) throw problem('MELMASTOON.BFF.TENANT.EXTENSION_LIMIT')
  if (facts.isHoldActive) return
  await noteExpiredHold(deps, booking, request)
  throw problem('MELMASTOON.BFF.TENANT.HOLD_EXPIRED')
}

async function extendUpstream(
  deps: ExtendDeps,
  booking: Booking,
  request: ChangeRequest,
): Promise<Reservation> {
  const { reservationId, tenantId } = booking.draft
  const { claim, deadline, trace } = request
  const idempotencyKey = claim.upstreamKey('extend')
  return await deps.upstreams.reservation
    .extend({ params: { reservationId }, body: {} }, { deadline, trace, tenantId, idempotencyKey })
    .catch((error: unknown) => rejectHold(deps, { booking, request }, error))
}

/** With what the rejection says about the hold. @throws Problem */
export async function rejectHold(
  deps: ExtendDeps,
  { booking, request }: { readonly booking: Booking; readonly request: ChangeRequest },
  error: unknown,
): Promise<never> {
  const rejected = holdProblem(error)
  const isExpired = isProblem(rejected) && rejected.code === 'MELMASTOON.BFF.TENANT.HOLD_EXPIRED'
  if (isExpired) await noteExpiredHold(deps, booking, request)
  throw rejected
}

/** The extension does not depend on the pricing service. */
async function recheckOrUnknown(
  deps: ExtendDeps,
  draft: Draft,
  { claim, deadline, trace }: UpstreamCall & Pick<ChangeRequest, 'claim'>,
): Promise<ExtensionCheck> {
  try {
    const upstreamKey = (step: string) => claim.upstreamKey(step)
    return await recheckPrice(deps, draft, { deadline, trace, upstreamKey })
  } catch (error) {
    if (!isProblem(error)) throw error
    return { kind: 'unknown' }
  }
}

interface Extension {
  readonly request: ChangeRequest
  readonly booking: Booking
  readonly extended: Reservation
  readonly check: ExtensionCheck
}

async function commitExtension(deps: ExtendDeps, extension: Extension): Promise<boolean> {
  const { request, booking, check } = extension
  const { draft } = booking
  const { after, events } = apply(deps, extension)
  const isDone = await request.claim.complete({
    effect: saveDraft(draft, after, { onlyIf: CLAIMED, touches: true }),
    events,
    response: {
      status: 200,
      body: describeExtension(ownView(deps, { ...booking, draft: after }), draft, check),
      headers: draftHeaders(after),
    },
  })
  if (isDone) deps.hotDrafts.store(after)
  return isDone
}

interface Applied {
  readonly after: Draft
  readonly events: readonly OutboxEvent[]
}

function apply(deps: ExtendDeps, { booking, extended, request, check }: Extension): Applied {
  const { draft, attempts, now } = booking
  const hasOpenAttempt = attempts.some(isActive)
  const facts = factsOf(draft, hasOpenAttempt, now)
  const moved = moveDraft(draft, { event: 'hold.extended', actor: 'guest', facts, at: now })
  const after: Draft = {
    ...touched(moved, now),
    guestExtensions: draft.guestExtensions + 1,
    holdExpiresAt: laterHold(draft, extended.holdExpiresAt),
  }
  // Terms that are being paid stay as they are: money decides about the agreed ones.
  if (hasOpenAttempt || check.kind === 'unknown') return { after, events: [] }
  if (check.kind === 'matched') return { after: { ...after, changedTerms: null }, events: [] }
  const changedTerms = check.kind === 'changed' ? check.terms : null
  if (changedTerms?.digest === draft.changedTerms?.digest && changedTerms !== null) {
    return { after: { ...after, changedTerms }, events: [] }
  }
  const error = priceError(draft, check.kind, now)
  const cause = draftCause(draft, request.cause())
  const event = check.kind === 'changed' ? 'price.changed' : 'stay.gone'
  const noted = moveDraft(after, { event, actor: 'service', facts, at: now })
  return {
    after: withError({ ...noted, changedTerms }, error),
    events: errorEvents(deps, draft, { error, cause }),
  }
}

function priceError(draft: Draft, kind: 'changed' | 'gone', now: Date): FlowError {
  return {
    code: `MELMASTOON.BFF.TENANT.${kind === 'changed' ? 'PRICE_CHANGED' : 'STAY_GONE'}`,
    atState: draft.state,
    upstream: 'pricing-service',
    at: toIsoDateTime(now),
    userActionable: true,
  }
}
