import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import type { Draft, DraftOutcome } from '../../drafts/draft.ts'
import { abandonedEvent, errorEvents, type FlowError } from '../../drafts/draft-messages.ts'
import { insertSnapshot, lockDraft, saveDraft } from '../../drafts/draft-sql.ts'
import { factsOf, moveDraft } from '../../drafts/draft-states.ts'
import { type PaymentAttempt, withIntent } from '../../payments/attempt.ts'
import { updateAttempt } from '../../payments/attempt-sql.ts'
import { payingAttempt, type ReleaseReason } from '../fulfilment.ts'
import { IF_FENCED, IF_SAVED } from '../fulfilment-sql.ts'
import {
  call,
  callOptions,
  causeOf,
  commit,
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
import { readIntent } from './learn-intent.ts'

/** Ended by the guest or by time, without money. */
function isAbandonment(reason: ReleaseReason): boolean {
  return reason === 'abandoned' || reason === 'deleted'
}

/** Commits to release before any money moves: nothing confirms this booking any more (F4). */
export async function decideRelease(
  context: StepContext,
  work: Work,
  reason: ReleaseReason,
): Promise<StepResult> {
  const change = {
    state: 'releasing',
    decision: 'release',
    recoveryPoint: reason === 'confirmed_elsewhere' ? 'stay_cancelled' : 'decided',
    outcomeCode: reason,
    confirmRequest: null,
    cancelKey: keyFor(context, 'cancel-stay', work.draft.holdNo),
  } as const
  const draft = draftOfDecision(context, work, reason)
  const isDecided = await commit(context, {
    change,
    draft:
      draft === null
        ? lockDraft(work.draft, IF_FENCED)
        : saveDraft(work.draft, draft, { onlyIf: IF_FENCED }),
  })
  if (!isDecided) return await reload(context, work)
  return next(withRecord({ ...work, draft: draft ?? work.draft }, change))
}

/** With money involved the guest waits for the result; null: the draft stays as it is. */
function draftOfDecision({ deps }: StepContext, { draft }: Work, reason: ReleaseReason) {
  if (draft.state !== 'paying' || isAbandonment(reason)) return null
  const at = deps.clock.now()
  const facts = factsOf(draft, false, at)
  return moveDraft(draft, { event: 'money.seen', actor: 'provider', facts, at })
}

const CANCEL_REJECTIONS = [
  'MELMASTOON.RESERVATION.NOT_FOUND',
  'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
] as const

export async function cancelStay(context: StepContext, work: Work): Promise<StepResult> {
  const { reservationId, cancelKey, outcomeCode } = work.record
  if (cancelKey === null) throw new TypeError('nothing was decided')
  const { reservation } = context.deps.upstreams
  const params = { reservationId }
  const body = { reasonCode: outcomeCode ?? 'released' }
  const cancelled = await call(context, CANCEL_REJECTIONS, () =>
    reservation.cancel({ params, body }, callOptions(context, cancelKey)),
  )
  if (cancelled.kind === 'unknown') return unknown(cancelled.reason)
  if (cancelled.kind === 'rejected' && cancelled.code === 'MELMASTOON.RESERVATION.NOT_FOUND') {
    // Nothing to cancel: the money must not wait for it.
    context.deps.fulfilment.invariantViolations.inc({ id: 'F4' })
  } else if (cancelled.kind === 'rejected') {
    const read = await call(context, [], () => reservation.get({ params }, readOptions(context)))
    if (read.kind !== 'ok') return unknown('reservation cannot be read')
    if (read.value.status !== 'cancelled') {
      context.deps.fulfilment.invariantViolations.inc({ id: 'F4' })
      return unknown(`reservation is ${read.value.status}`)
    }
  }
  const change = { recoveryPoint: 'stay_cancelled' } as const
  await commit(context, { change })
  // Payments are read again: money moves according to what they are after the cancellation.
  return next(withRecord({ ...work, intents: new Map() }, change))
}

const REFUND_REJECTIONS = [
  'MELMASTOON.PAYMENT.ILLEGAL_TRANSITION',
  'MELMASTOON.PAYMENT.REFUND_TOO_LARGE',
  'MELMASTOON.PAYMENT.AMOUNT_INVALID',
  // A rejection whose response was lost is stored under the key; meanwhile less is left.
  'MELMASTOON.IDEMPOTENCY.KEY_REUSED',
] as const

/** Refunds what is left of a captured payment, as read after the claim. */
export async function returnMoney(
  context: StepContext,
  work: Work,
  attempt: PaymentAttempt,
): Promise<StepResult> {
  const { deps } = context
  const intent = work.intents.get(attempt.no)
  if (intent === undefined) throw new TypeError('a refund of a payment that was not read')
  const { capturedAmount, refundedAmount } = intent
  const left = BigInt(capturedAmount.amountMicro) - BigInt(refundedAmount.amountMicro)
  const amount = { amountMicro: String(left), currency: capturedAmount.currency }
  const reasonCode = refundReason(work)
  const input = {
    params: { paymentIntentId: intent.paymentIntentId },
    body: { amount, reasonCode },
  }
  const refunded = await call(context, REFUND_REJECTIONS, () =>
    deps.upstreams.payment.createRefund(input, callOptions(context, attempt.refundKey)),
  )
  if (refunded.kind === 'unknown') return unknown(refunded.reason)
  if (refunded.kind === 'rejected') return await refundRejected(context, work, attempt)
  deps.fulfilment.refunds.inc({ reason: reasonCode })
  return await storeRefund(context, work, withIntent(attempt, refunded.value.intent))
}

function refundReason({ record }: Work): string {
  return record.state === 'releasing' ? (record.outcomeCode ?? 'released') : 'surplus'
}

async function storeRefund(
  context: StepContext,
  work: Work,
  attempt: PaymentAttempt,
): Promise<StepResult> {
  const isSurplus = attempt.intentId !== work.record.intentId
  if (isSurplus) context.deps.fulfilment.surplusIntents.inc({})
  const stored: PaymentAttempt = { ...attempt, role: isSurplus ? 'surplus' : attempt.role }
  const ref = { ...context.ref, no: attempt.no }
  await commit(context, { change: {}, effects: [updateAttempt(ref, stored, IF_SAVED)] })
  return next(withAttempt(work, stored))
}

/** Another refund came first. What is left is refunded under a new key. */
async function refundRejected(
  context: StepContext,
  work: Work,
  attempt: PaymentAttempt,
): Promise<StepResult> {
  context.deps.fulfilment.refundFailed.inc({})
  const refundNo = attempt.refundNo + 1
  if (refundNo > REFUNDS_MAX) return unknown('refund is rejected repeatedly')
  const refundKey = keyFor(context, `refund:${attempt.intentId}`, refundNo)
  const renewed = { ...attempt, refundNo, refundKey }
  const ref = { ...context.ref, no: attempt.no }
  await commit(context, { change: {}, effects: [updateAttempt(ref, renewed, IF_SAVED)] })
  return await readIntent(context, withAttempt(work, renewed), renewed)
}

const REFUNDS_MAX = 20

/** The end of a booking that did not become a stay: record, draft, snapshot and events at once. */
export async function finishReleased(context: StepContext, work: Work): Promise<StepResult> {
  const { deps, options } = context
  const reason = work.record.outcomeCode
  if (reason === null || reason === 'confirmed') throw new TypeError('nothing was decided')
  const cause = causeOf(context, work.draft)
  const at = cause.occurredAt
  const isAbandoned = isAbandonment(reason)
  const ended = endedDraft(work, reason, at)
  const error = flowError(work, reason, at)
  const events = isAbandoned
    ? [abandonedEvent(ended, cause)]
    : errorEvents(deps, work.draft, { error, cause })
  const effects = [insertSnapshot(ended, isAbandoned ? 'abandoned' : 'failed', IF_SAVED)]
  if (events.length > 0) effects.push(appendEventsFragment(events, { onlyIf: IF_SAVED }))
  const change = { state: 'released', settles: true } as const
  const isDone = await commit(context, {
    change,
    draft: saveDraft(work.draft, ended, { onlyIf: IF_FENCED }),
    effects,
    release: { nextSeconds: null },
  })
  if (!isDone) return await reload(context, work)
  deps.fulfilment.settled.inc({ trigger: options.trigger, outcome: reason })
  const record = { state: 'released', settledAt: at, nextAt: null } as const
  return { kind: 'ended', booking: withRecord({ ...work, draft: ended }, record) }
}

function endedDraft(work: Work, reason: ReleaseReason, at: Date): Draft {
  const { draft } = work
  const facts = factsOf(draft, false, at)
  const moved = moveDraft(draft, { ...endOf(reason), facts, at })
  return { ...moved, outcome: outcomeOf(work, reason) }
}

function endOf(reason: ReleaseReason) {
  if (reason === 'abandoned') return { event: 'draft.expired', actor: 'sweeper' } as const
  if (reason === 'deleted') return { event: 'draft.deleted', actor: 'guest' } as const
  return { event: 'stay.released', actor: 'service' } as const
}

function outcomeOf(work: Work, reason: ReleaseReason): DraftOutcome {
  const refundedMicro = work.attempts.reduce((sum, each) => sum + BigInt(each.refundedMicro), 0n)
  const paying = payingAttempt(work) ?? work.attempts.at(-1)
  const { currency } = work.record.amount
  return {
    reason,
    refunded: refundedMicro > 0n ? { amountMicro: String(refundedMicro), currency } : null,
    paymentMethod: paying?.method ?? null,
    paymentProvider: paying?.provider ?? null,
  }
}

const CODE_OF: Partial<Record<ReleaseReason, string>> = {
  sold_out: 'MELMASTOON.BFF.TENANT.SOLD_OUT',
  price_changed: 'MELMASTOON.BFF.TENANT.PRICE_CHANGED',
  declined: 'MELMASTOON.PAYMENT.DECLINED',
}

function flowError({ draft }: Work, reason: ReleaseReason, at: Date): FlowError {
  return {
    code: CODE_OF[reason] ?? 'MELMASTOON.BFF.TENANT.DRAFT_ENDED',
    atState: draft.state,
    upstream: reason === 'declined' ? 'payment-gateway-service' : 'reservation-service',
    at: at.toISOString() as FlowError['at'],
    userActionable: true,
  }
}
