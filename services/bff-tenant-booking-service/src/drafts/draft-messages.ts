import type { Clock } from '@melmastoon/chassis/clock'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { microToMinor, newId } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import type { Intent, PaymentMethod } from '@melmastoon/upstream-contracts/payment'
import { registry } from '../events/registry.ts'
import type { Draft, ErrorEntry, Terms } from './draft.ts'

/** What the events of a draft need; sampling applies to telemetry only (D13). */
export interface MessageDeps {
  readonly config: { readonly instance: string }
  readonly clock: Clock
  readonly flags: { sampleRates(): Readonly<Record<string, number>> }
}

/** The cause of events without a request: the poller, the sweeper, a webhook. */
export function systemCause(deps: MessageDeps, draft: Draft, at: Date): EventContext {
  return draftCause(draft, {
    producerInstance: deps.config.instance,
    tenantId: draft.tenantId,
    requestId: newId('req'),
    traceparent: renderTraceparent(newTrace()),
    occurredAt: at,
  })
}

/** A cause with the session and the campaign of the draft. */
export function draftCause(draft: Draft, cause: EventContext): EventContext {
  return { ...cause, sessionId: draft.sessionId, marketingAttribution: draft.origin.attribution }
}

export function createdEvent(draft: Draft, cause: EventContext): OutboxEvent {
  const { terms, origin } = draft
  const { adults, children, rooms } = terms.occupancy
  return registry.build(
    'melmastoon.bff.tenant.booking.draft.created.v1',
    {
      ...refsOf(draft),
      reservationId: draft.reservationId,
      holdExpiresAt: draft.holdExpiresAt,
      ...offerOf(terms),
      ratePlanId: terms.ratePlanId,
      stayWindow: { ...terms.stay, nights: nightsOf(terms) },
      occupancy: { adults, children, rooms },
      totalDisplay: displayTotalOf(terms),
      promoCode: terms.promoCode,
      deviceClass: origin.deviceClass,
      handoffArrivalId: origin.handoffArrivalId,
    },
    cause,
  )
}

export function abandonedEvent(draft: Draft, cause: EventContext): OutboxEvent {
  const last = draft.history.at(-1)
  return registry.build(
    'melmastoon.bff.tenant.booking.draft.abandoned.v1',
    {
      ...refsOf(draft),
      lastFlowState: last?.from ?? draft.state,
      createdAt: draft.createdAt,
      abandonedAt: cause.occurredAt.toISOString(),
      lastActivityAt: draft.lastActivityAt,
      ...offerOf(draft.terms),
      totalDisplayPotential: displayTotalOf(draft.terms),
      errorTrail: draft.errors.map(({ atState, code, at }) => ({
        atState,
        errorCode: code,
        occurredAt: at,
      })),
      guestEmailHash: draft.guestEmailHash,
    },
    cause,
  )
}

export interface Conversion {
  readonly captured: Intent['amount']
  readonly method: PaymentMethod
  readonly provider: string | null
}

export function convertedEvent(draft: Draft, paid: Conversion, cause: EventContext): OutboxEvent {
  const { terms, origin } = draft
  const elapsedMs = cause.occurredAt.getTime() - Date.parse(draft.createdAt)
  const captured = microToMinor(paid.captured.amountMicro, paid.captured.currency)
  return registry.build(
    'melmastoon.bff.tenant.booking.draft.converted.v1',
    {
      ...refsOf(draft),
      reservationId: draft.reservationId,
      createdAt: draft.createdAt,
      convertedAt: cause.occurredAt.toISOString(),
      elapsedMs: Math.max(0, elapsedMs),
      ...offerOf(terms),
      ratePlanId: terms.ratePlanId,
      totalCapturedMinor: captured.amountMinor,
      totalCapturedCurrency: captured.currency,
      paymentMethod: paid.method,
      paymentProvider: paid.provider,
      marketingAttribution: origin.attribution,
      handoffArrivalId: origin.handoffArrivalId,
      deviceClass: origin.deviceClass,
    },
    cause,
  )
}

const STEP = 'melmastoon.bff.tenant.flow.step_completed.v1'

/** The last change of state; none without consent, or outside the sample. */
export function stepEvents(deps: MessageDeps, draft: Draft, cause: EventContext): OutboxEvent[] {
  const last = draft.history.at(-1)
  const rates = deps.flags.sampleRates()
  if (last === undefined || last.from === last.to) return []
  if (!draft.origin.consentTelemetry || !registry.sampled(STEP, rates, draft.id)) return []
  const before = draft.history.at(-2)?.at ?? draft.createdAt
  const payload = {
    ...refsOf(draft),
    fromState: last.from,
    toState: last.to,
    stepLatencyMs: Math.max(0, Date.parse(last.at) - Date.parse(before)),
    completedAt: last.at,
  }
  const samplingRate = registry.sampleRate(STEP, rates)
  return [registry.build(STEP, payload, { ...cause, samplingRate })]
}

const ERROR = 'melmastoon.bff.tenant.flow.error_encountered.v1'

export interface FlowError extends ErrorEntry {
  readonly userActionable: boolean
  readonly retryAfterSeconds?: number
}

/** An error that the guest sees; none without consent, or outside the sample. */
export function errorEvents(
  deps: MessageDeps,
  draft: Draft,
  { error, cause }: { readonly error: FlowError; readonly cause: EventContext },
): OutboxEvent[] {
  const rates = deps.flags.sampleRates()
  if (!draft.origin.consentTelemetry || !registry.sampled(ERROR, rates, draft.id)) return []
  const payload = {
    ...refsOf(draft),
    atState: error.atState,
    errorCode: error.code,
    upstream: error.upstream,
    occurredAt: error.at,
    userActionable: error.userActionable,
    retryAfterSec: error.retryAfterSeconds ?? 0,
  }
  const samplingRate = registry.sampleRate(ERROR, rates)
  return [registry.build(ERROR, payload, { ...cause, samplingRate })]
}

function refsOf({ tenantId, id, sessionId }: Draft) {
  return { tenantId, draftId: id, sessionId }
}

function offerOf({ propertyId, rooms }: Terms) {
  const [first] = rooms
  if (first === undefined) throw new TypeError('an offer without rooms')
  return { propertyId, roomTypeId: first.roomTypeId }
}

function displayTotalOf({ displayTotal, total }: Terms) {
  const shown = displayTotal ?? total
  return microToMinor(shown.amountMicro, shown.currency)
}

function nightsOf({ stay }: Terms): number {
  return Math.round((Date.parse(stay.checkOut) - Date.parse(stay.checkIn)) / 86_400_000)
}
