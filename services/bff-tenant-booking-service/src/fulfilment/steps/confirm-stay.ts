import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import { openJson, sealJson } from '@melmastoon/security'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type {
  guestReservationContract,
  Reservation,
} from '@melmastoon/upstream-contracts/reservation'
import { convertedEvent, draftCause, stepEvents } from '../../drafts/draft-messages.ts'
import { insertSnapshot, saveDraft } from '../../drafts/draft-sql.ts'
import { factsOf, moveDraft } from '../../drafts/draft-states.ts'
import { reservationGuest } from '../../guests/reservation-guest.ts'
import { openGuest } from '../../guests/sealed-guest.ts'
import type { PaymentAttempt } from '../../payments/attempt.ts'
import { updateAttempt } from '../../payments/attempt-sql.ts'
import { payingAttempt } from '../fulfilment.ts'
import { IF_FENCED, IF_SAVED } from '../fulfilment-sql.ts'
import {
  call,
  callOptions,
  causeOf,
  commit,
  confirmSeal,
  keyFor,
  next,
  readOptions,
  reload,
  type StepContext,
  type StepResult,
  unknown,
  withAttempt,
  withRecord,
} from '../fulfilment-steps.ts'
import type { Work } from '../plan-step.ts'
import { fetchIntent, withIntentRead } from './learn-intent.ts'
import { decideRelease } from './release-stay.ts'

type Confirm = (typeof guestReservationContract)['operations']['confirm']
type ConfirmBody = InputOf<Confirm>['body']

/** Commits to confirm, with the body and the key of the call, before anything is called (F11). */
export async function decideConfirm(
  context: StepContext,
  work: Work,
  attempt: PaymentAttempt,
): Promise<StepResult> {
  const { deps, ref } = context
  const at = deps.clock.now()
  const draft = moveDraft(work.draft, {
    event: 'money.seen',
    actor: 'provider',
    facts: factsOf(work.draft, false, at),
    at,
  })
  const paying = { ...attempt, role: 'paying' as const }
  const change = {
    state: 'confirming',
    decision: 'confirm',
    recoveryPoint: 'decided',
    intentId: attempt.intentId,
    captureMode: attempt.captureMode,
    confirmRequest: frozenRequest(context, work, attempt),
    confirmKey: keyFor(context, 'confirm', work.record.confirmNo),
    captureKey: keyFor(context, 'capture', attempt.no),
  } as const
  const isDecided = await commit(context, {
    change,
    draft: saveDraft(work.draft, draft, { onlyIf: IF_FENCED }),
    effects: [updateAttempt({ ...ref, no: attempt.no }, paying, IF_SAVED)],
  })
  if (!isDecided) return await reload(context, work)
  return next(withRecord(withAttempt({ ...work, draft }, paying), change))
}

/** The same bytes in every attempt, whatever the guest changes meanwhile (U2). */
function frozenRequest({ deps, ref }: StepContext, work: Work, attempt: PaymentAttempt): Buffer {
  const { intentId, method } = attempt
  const { guest } = work.draft
  if (intentId === null || guest === null) throw new TypeError('nothing to confirm with')
  const body: ConfirmBody = {
    guest: reservationGuest(openGuest(deps, ref, guest)),
    payment: { method, paymentIntentId: intentId },
    expectedDigest: work.record.consentedDigest,
  }
  return sealJson(deps.guestDataKeys, confirmSeal(ref), body)
}

const CONFIRM_REJECTIONS = [
  'MELMASTOON.RESERVATION.NOT_FOUND',
  'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
  'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
  'MELMASTOON.INVENTORY.STAY_INVALID',
  'MELMASTOON.PRICING.PRICE_CHANGED',
] as const

export async function confirmStay(context: StepContext, work: Work): Promise<StepResult> {
  const { deps, ref } = context
  const { reservationId, confirmKey, confirmRequest } = work.record
  if (confirmKey === null || confirmRequest === null) throw new TypeError('nothing was decided')
  const body = openJson(deps.guestDataKeys, confirmSeal(ref), confirmRequest) as ConfirmBody
  const input = { params: { reservationId }, body }
  const confirmed = await call(context, CONFIRM_REJECTIONS, () =>
    deps.upstreams.reservation.confirm(input, callOptions(context, confirmKey)),
  )
  if (confirmed.kind === 'unknown') return unknown(confirmed.reason)
  if (confirmed.kind === 'ok') return await stayConfirmed(context, work, confirmed.value)
  switch (confirmed.code) {
    case 'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION':
      return await readStay(context, work)
    case 'MELMASTOON.PRICING.PRICE_CHANGED':
      return await decideRelease(context, work, 'price_changed')
    case 'MELMASTOON.RESERVATION.NOT_FOUND':
      return await decideRelease(context, work, 'cancelled')
    case 'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED':
    case 'MELMASTOON.INVENTORY.STAY_INVALID':
      return await decideRelease(context, work, 'sold_out')
  }
}

const SOLD: ReadonlySet<Reservation['status']> = new Set([
  'confirmed',
  'checked_in',
  'in_house',
  'checked_out',
  'no_show',
])

/** Confirming was not possible: by whom was it done, or undone? */
async function readStay(context: StepContext, work: Work): Promise<StepResult> {
  const { reservationId, intentId } = work.record
  const { reservation } = context.deps.upstreams
  const read = await call(context, [], () =>
    reservation.get({ params: { reservationId } }, readOptions(context)),
  )
  if (read.kind !== 'ok') return unknown(read.kind === 'unknown' ? read.reason : read.kind)
  const { status, payment } = read.value
  if (status === 'cancelled') return await decideRelease(context, work, 'cancelled')
  if (!SOLD.has(status)) return unknown(`reservation is ${status}`)
  if (payment?.paymentIntentId === intentId) return await stayConfirmed(context, work, read.value)
  return await decideRelease(context, work, 'confirmed_elsewhere')
}

async function stayConfirmed(
  context: StepContext,
  work: Work,
  { total }: Reservation,
): Promise<StepResult> {
  const { amount } = work.record
  const isAgreed = total.amountMicro === amount.amountMicro && total.currency === amount.currency
  if (!isAgreed) context.deps.fulfilment.invariantViolations.inc({ id: 'F5' })
  const change = { recoveryPoint: 'stay_confirmed' } as const
  // Only before the capture: otherwise the last statement follows at once.
  if (payingAttempt(work)?.intentStatus === 'authorized') await commit(context, { change })
  return next(withRecord(work, change))
}

const CAPTURE_REJECTIONS = [
  'MELMASTOON.PAYMENT.DECLINED',
  'MELMASTOON.PAYMENT.ILLEGAL_TRANSITION',
  'MELMASTOON.PAYMENT.AMOUNT_INVALID',
] as const

export async function capturePayment(
  context: StepContext,
  work: Work,
  attempt: PaymentAttempt,
): Promise<StepResult> {
  const { captureKey, intentId } = work.record
  if (captureKey === null || intentId === null) throw new TypeError('nothing was decided')
  const { payment } = context.deps.upstreams
  const input = { params: { paymentIntentId: intentId }, body: {} }
  const captured = await call(context, CAPTURE_REJECTIONS, () =>
    payment.captureIntent(input, callOptions(context, captureKey)),
  )
  if (captured.kind === 'unknown') return unknown(captured.reason)
  if (captured.kind === 'ok') return next(withIntentRead(work, attempt, captured.value))
  if (captured.code === 'MELMASTOON.PAYMENT.DECLINED') {
    return await decideRelease(context, work, 'declined')
  }
  const intent = await fetchIntent(context, attempt)
  if (typeof intent === 'string') return unknown(intent)
  if (intent.status === 'captured') return next(withIntentRead(work, attempt, intent))
  if (intent.status === 'authorized') return unknown(captured.code)
  return await decideRelease(context, work, 'declined')
}

/**
 * Record, draft, snapshot, payment, events and the response to the request in one statement: only
 * now it is confirmed (F6).
 */
export async function finishConfirmed(context: StepContext, work: Work): Promise<StepResult> {
  const { deps, ref, options } = context
  const attempt = payingAttempt(work)
  if (attempt === undefined) throw new TypeError('a stay was confirmed without its payment')
  const cause = draftCause(work.draft, causeOf(context, work.draft))
  const at = cause.occurredAt
  const moved = moveDraft(work.draft, {
    event: 'stay.confirmed',
    actor: 'service',
    facts: factsOf(work.draft, false, at),
    at,
  })
  const { method, provider, intentStatus, amount } = attempt
  const draft = {
    ...moved,
    outcome: {
      reason: 'confirmed',
      refunded: null,
      paymentMethod: method,
      paymentProvider: provider,
    },
  }
  const nothing = { ...amount, amountMicro: '0' }
  const captured = intentStatus === 'captured' ? amount : nothing
  const events = [
    convertedEvent(draft, { captured, method, provider }, cause),
    ...stepEvents(deps, draft, cause),
  ]
  const hasSurplus = work.attempts.some(
    ({ no, status }) => no !== attempt.no && status !== 'closed' && status !== 'refunded',
  )
  const change = {
    state: 'confirmed',
    outcomeCode: 'confirmed',
    confirmRequest: null,
    settles: true,
  } as const
  const { settles: _, ...recorded } = change
  const booking = withRecord({ ...work, draft }, { ...recorded, settledAt: at, nextAt: null })
  const response = options.storeResponse?.(booking, IF_SAVED)
  const isDone = await commit(context, {
    change,
    draft: saveDraft(work.draft, draft, { onlyIf: IF_FENCED }),
    effects: [
      updateAttempt({ ...ref, no: attempt.no }, attempt, IF_SAVED),
      insertSnapshot(draft, 'converted', IF_SAVED),
      appendEventsFragment(events, { onlyIf: IF_SAVED }),
      ...(response === undefined ? [] : [response.effect]),
    ],
    release: { nextSeconds: hasSurplus ? 0 : null },
  })
  if (!isDone) return await reload(context, work)
  response?.committed()
  deps.fulfilment.settled.inc({ trigger: options.trigger, outcome: 'confirmed' })
  return { kind: 'ended', booking }
}
