import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import type { Database } from '@melmastoon/chassis/db'
import type { Claim, Mutation } from '@melmastoon/chassis/idempotency'
import { type HandoffArrivalId, isProblem, type ProblemCode, problem } from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { draftHeaders } from '../bookings/draft-view.ts'
import type { HotDrafts } from '../bookings/hot-drafts.ts'
import { ownView } from '../bookings/read-own-booking.ts'
import { type Draft, type DraftOrigin, termsOf, touched } from '../drafts/draft.ts'
import { createdEvent, draftCause, type MessageDeps, stepEvents } from '../drafts/draft-messages.ts'
import { CLAIMED, EFFECTIVE, insertDraft } from '../drafts/draft-sql.ts'
import { factsOf, moveDraft } from '../drafts/draft-states.ts'
import { flowErrorEncountered } from '../events/flow-events.ts'
import type { GuestDataDeps } from '../guests/sealed-guest.ts'
import { linkArrival, selectOwnArrival } from '../handoff/handoff-sql.ts'
import type { QuoteStoreDeps } from '../quotes/quote-store.ts'
import type { BookingActor } from '../sessions/booking-actor.ts'
import type { BookingSessions } from '../sessions/booking-session.ts'
import { type ReportDeps, report } from '../telemetry/report.ts'
import { consents } from '../telemetry/telemetry-actor.ts'
import { agreedQuote, type HoldBody } from './agreed-quote.ts'
import { deriveDraftId, type HeldReservation, type HoldRoomsDeps, holdRooms } from './hold-rooms.ts'

export interface PlaceHoldDeps
  extends Omit<QuoteStoreDeps, 'upstreams'>,
    MessageDeps,
    ReportDeps,
    GuestDataDeps {
  readonly upstreams: QuoteStoreDeps['upstreams'] & HoldRoomsDeps['upstreams']
  readonly sessions: Pick<BookingSessions, 'update'>
  readonly background: Pick<BackgroundWork, 'run'>
  readonly hotDrafts: HotDrafts
  readonly db: Pick<Database, 'tenantQuery'>
}

export interface HoldRequest extends BookingActor {
  readonly body: HoldBody
  readonly claim: Pick<Claim, 'upstreamKey' | 'complete'>
}

/** Holds the rooms of a quote for a new draft (T6): row, events and response in one statement. */
export async function placeHold(deps: PlaceHoldDeps, request: HoldRequest): Promise<Mutation> {
  const { site, body, claim } = request
  const [quote, arrivalId] = await Promise.all([
    agreedQuote(deps, { tenantId: site.tenantId, body }, request),
    ownArrival(deps, request),
  ])
  const holderId = deriveDraftId(quote, claim)
  const held = await holdRooms(deps, { ...request, quote, holderId }, request)
  const draft = newDraft(request, quote, { ...held, draftId: holderId, arrivalId })
  const cause = draftCause(draft, request.cause())
  const now = deps.clock.now()
  return {
    effect: insertDraft(draft, CLAIMED),
    furtherEffects:
      arrivalId === null ? [] : [linkArrival({ id: arrivalId, draftId: draft.id }, EFFECTIVE)],
    events: [createdEvent(draft, cause), ...stepEvents(deps, draft, cause)],
    response: {
      status: 201,
      body: ownView(deps, { draft, record: null, attempts: [], now }),
      headers: draftHeaders(draft),
    },
    afterCommit: () => {
      deps.hotDrafts.store(draft)
      rememberDraft(deps, request, draft)
    },
  }
}

/** @throws Problem HANDOFF_NOT_FOUND for an arrival of another session. */
async function ownArrival(
  { db }: PlaceHoldDeps,
  { body, site, session, deadline }: HoldRequest,
): Promise<HandoffArrivalId | null> {
  const { handoffArrivalId: id } = body
  if (id === undefined) return null
  const select = selectOwnArrival(id, session.id)
  const [arrival] = await db.tenantQuery(site.tenantId, select, { deadline })
  if (arrival === undefined) throw problem('MELMASTOON.BFF.TENANT.HANDOFF_NOT_FOUND')
  return id
}

/** The session leads to the newest draft; without Redis the client knows its id. */
export function rememberDraft(deps: PlaceHoldDeps, { session }: BookingActor, { id }: Draft): void {
  deps.background.run(`active draft ${session.id}`, () =>
    deps.sessions.update(session, (data) =>
      data.activeBookingDraftId === id ? data : { ...data, activeBookingDraftId: id },
    ),
  )
}

interface NewHold extends HeldReservation {
  readonly draftId: Draft['id']
  readonly arrivalId: HandoffArrivalId | null
}

function newDraft(actor: BookingActor, quote: Quote, held: NewHold): Draft {
  const at = new Date(held.createdAt)
  const quoting: Draft = {
    id: held.draftId,
    tenantId: actor.site.tenantId,
    sessionId: actor.session.id,
    version: 0,
    state: 'quoting',
    reservationId: held.reservationId,
    reservationCode: held.code,
    terms: termsOf(quote),
    changedTerms: null,
    holdExpiresAt: held.holdExpiresAt,
    holdNo: 1,
    guestExtensions: 0,
    serviceExtensions: 0,
    guest: null,
    guestEmailHash: null,
    guestPhoneHash: null,
    origin: originOf(actor, held.arrivalId),
    history: [],
    errors: [],
    outcome: null,
    createdAt: held.createdAt,
    lastActivityAt: held.createdAt,
    expiresAt: held.createdAt,
  }
  const facts = factsOf(quoting, false, at)
  return touched(moveDraft(quoting, { event: 'hold.placed', actor: 'guest', facts, at }), at)
}

function originOf(
  actor: BookingActor,
  handoffArrivalId: DraftOrigin['handoffArrivalId'],
): DraftOrigin {
  const { deviceClass, marketingAttribution } = actor.session.data
  return {
    locale: actor.locale,
    currency: actor.currency,
    deviceClass,
    consentTelemetry: consents(actor),
    attribution: marketingAttribution,
    handoffArrivalId,
  }
}

const REPORTED: ReadonlySet<ProblemCode> = new Set([
  'MELMASTOON.BFF.TENANT.SOLD_OUT',
  'MELMASTOON.BFF.TENANT.PRICE_CHANGED',
  'MELMASTOON.BFF.TENANT.STAY_GONE',
  'MELMASTOON.PRICING.QUOTE_EXPIRED',
])

/** For `catch`: an error that a guest without a draft sees. */
export function reportHoldError(deps: ReportDeps, request: HoldRequest) {
  return (error: unknown): never => {
    if (isProblem(error) && REPORTED.has(error.code)) {
      const { site, session } = request
      report(deps, flowErrorEncountered, {
        ...request,
        payload: (occurredAt) => ({
          tenantId: site.tenantId,
          draftId: null,
          sessionId: session.id,
          atState: 'quoting',
          errorCode: error.code,
          upstream: 'reservation-service',
          occurredAt,
          userActionable: true,
          retryAfterSec: 0,
        }),
      })
    }
    throw error
  }
}
