import type { Intent } from '@melmastoon/upstream-contracts/payment'
import { SERVICE_EXTENSIONS_MAX } from '../drafts/draft.ts'
import {
  hasMoney,
  isMoneyLeft,
  isReturned,
  isWaiting,
  type PaymentAttempt,
} from '../payments/attempt.ts'
import { type ClaimedBooking, payingAttempt, type ReleaseReason } from './fulfilment.ts'

/** Why open payments are to be closed. Money that has arrived meanwhile is still honoured. */
export type Closing = 'expired' | 'deleted' | 'suspended' | 'switched'

/** A booking in the hands of one claim. */
export interface Work extends ClaimedBooking {
  /** By the number of the attempt: intents as read after the claim, which alone decide (F8). */
  readonly intents: ReadonlyMap<number, Intent>
  readonly closing: Closing | null
  /** The hold of a cash payment had expired, and its price was compared again. */
  readonly recheck: 'matched' | 'changed' | 'gone' | null
}

export type Step =
  /** Repeats a creation whose outcome is unknown. */
  | { readonly kind: 'create-intent'; readonly attempt: PaymentAttempt }
  | { readonly kind: 'read-intent'; readonly attempt: PaymentAttempt }
  | { readonly kind: 'close-intent'; readonly attempt: PaymentAttempt }
  | { readonly kind: 'return-money'; readonly attempt: PaymentAttempt }
  | { readonly kind: 'recheck-price' }
  | { readonly kind: 'extend-hold' }
  | { readonly kind: 'decide-confirm'; readonly attempt: PaymentAttempt }
  | { readonly kind: 'decide-release'; readonly reason: ReleaseReason }
  | { readonly kind: 'confirm-stay' }
  | { readonly kind: 'capture'; readonly attempt: PaymentAttempt }
  | { readonly kind: 'finish-confirmed' }
  | { readonly kind: 'cancel-stay' }
  | { readonly kind: 'finish-released' }
  /** Nothing can be done now. `idle`: nothing is expected either. */
  | { readonly kind: 'wait'; readonly idle: boolean }

/** The next step of a booking; the whole of the fulfilment is this function (D36). */
export function planStep(work: Work): Step {
  switch (work.record.state) {
    case 'open':
      return planOpen(work)
    case 'confirming':
      return planConfirming(work)
    case 'releasing':
      return planReleasing(work)
    case 'confirmed':
    case 'released':
      return planSurplus(work)
  }
}

function planOpen(work: Work): Step {
  const { attempts, closing } = work
  const unclear = attempts.find((attempt) => mayHaveMoney(attempt) && !work.intents.has(attempt.no))
  if (unclear !== undefined) return learn(unclear)
  const paid = attempts.find(({ status }) => status === 'paid')
  if (paid !== undefined) return planPaid(work, paid)
  if (attempts.some(({ status }) => status === 'refunded')) {
    return { kind: 'decide-release', reason: 'cancelled' }
  }
  const waiting = attempts.find(({ status }) => status === 'open')
  if (waiting !== undefined) return planWaiting(work, waiting)
  if (closing === 'expired') return { kind: 'decide-release', reason: 'abandoned' }
  if (closing === 'deleted') return { kind: 'decide-release', reason: 'deleted' }
  return { kind: 'wait', idle: true }
}

/** Of a closed attempt only a later notification makes it worth reading (E8). */
function mayHaveMoney({ status, intentStatus }: PaymentAttempt): boolean {
  if (status === 'creating' || status === 'open' || status === 'paid') return true
  return intentStatus !== null && isMoneyLeft(intentStatus)
}

function learn(attempt: PaymentAttempt): Step {
  return { kind: attempt.intentId === null ? 'create-intent' : 'read-intent', attempt }
}

function planPaid(work: Work, attempt: PaymentAttempt): Step {
  const { draft, now, recheck } = work
  const intent = work.intents.get(attempt.no)
  if (intent === undefined) throw new TypeError('money that was not read after the claim')
  if (isReturned(intent.status)) return { kind: 'decide-release', reason: 'cancelled' }
  if (isGivenUp(work, attempt, intent)) return { kind: 'close-intent', attempt }
  if (!isAsAgreed(work, attempt, intent)) return { kind: 'decide-release', reason: 'amount' }
  const isPromise = intent.status === 'pending_cash'
  // Choosing cash books nothing: the guest asks for it, or the draft expires.
  if (isPromise && !attempt.isConfirmRequested) return { kind: 'wait', idle: false }
  const isLateCash = isPromise && Date.parse(draft.holdExpiresAt) <= now.getTime()
  if (isLateCash && recheck === null) return { kind: 'recheck-price' }
  if (isLateCash && recheck !== 'matched') return { kind: 'close-intent', attempt }
  return { kind: 'decide-confirm', attempt }
}

/**
 * The guest gave the booking up or chose another method before money was taken, or promised cash
 * and never asked to book.
 */
function isGivenUp({ closing }: Work, attempt: PaymentAttempt, { status }: Intent): boolean {
  if (closing === 'deleted') return status !== 'captured'
  if (closing === null || status !== 'pending_cash') return false
  return closing === 'switched' || !attempt.isConfirmRequested
}

/** Amount, currency and terms are those that the guest agreed to (F5). */
function isAsAgreed({ record }: Work, attempt: PaymentAttempt, intent: Intent): boolean {
  const { amountMicro, currency } = record.amount
  const paid = intent.status === 'captured' ? intent.capturedAmount : intent.amount
  const isSameAmount = paid.amountMicro === amountMicro && paid.currency === currency
  return isSameAmount && attempt.digest === record.consentedDigest
}

const EXTEND_BEFORE_MS = 120_000

function planWaiting(work: Work, attempt: PaymentAttempt): Step {
  if (work.closing !== null) return { kind: 'close-intent', attempt }
  const { draft, now } = work
  const leftMs = Date.parse(draft.holdExpiresAt) - now.getTime()
  const mayExtend =
    leftMs > 0 && leftMs < EXTEND_BEFORE_MS && draft.serviceExtensions < SERVICE_EXTENSIONS_MAX
  if (attempt.intentStatus === 'processing' && mayExtend) return { kind: 'extend-hold' }
  return { kind: 'wait', idle: false }
}

function planConfirming(work: Work): Step {
  const { record } = work
  if (record.recoveryPoint !== 'stay_confirmed') return { kind: 'confirm-stay' }
  const attempt = payingAttempt(work)
  if (attempt === undefined) throw new TypeError('a stay was confirmed without its payment')
  const needsCapture = attempt.method === 'card' && record.captureMode === 'manual'
  if (!needsCapture) return { kind: 'finish-confirmed' }
  // Of an authorized payment only a capture counts that this claim has seen, with its amount.
  const intent = work.intents.get(attempt.no)
  if (intent?.status !== 'captured') return { kind: 'capture', attempt }
  if (isAsAgreed(work, attempt, intent)) return { kind: 'finish-confirmed' }
  return { kind: 'decide-release', reason: 'amount' }
}

function planReleasing(work: Work): Step {
  if (work.record.recoveryPoint !== 'stay_cancelled') return { kind: 'cancel-stay' }
  return planReturn(work, work.attempts) ?? { kind: 'finish-released' }
}

/** Money that arrived after the end: everything but the payment of the confirmed stay. */
function planSurplus(work: Work): Step {
  const { record, attempts } = work
  const isSurplus = ({ intentId }: PaymentAttempt) =>
    record.state === 'released' || intentId === null || intentId !== record.intentId
  return planReturn(work, attempts.filter(isSurplus)) ?? { kind: 'wait', idle: true }
}

/** Reads every intent, then closes it or returns its money. */
function planReturn(work: Work, attempts: readonly PaymentAttempt[]): Step | null {
  for (const attempt of attempts) {
    const { status, intentStatus } = attempt
    const isOver = status === 'closed' || status === 'refunded'
    if (!work.intents.has(attempt.no)) {
      if (isOver && !mayHaveMoney(attempt)) continue
      return learn(attempt)
    }
    if (isOver || intentStatus === null) continue
    const isCaptured = intentStatus === 'captured' || intentStatus === 'partially_refunded'
    if (isCaptured) return { kind: 'return-money', attempt }
    if (isWaiting(intentStatus) || hasMoney(intentStatus)) return { kind: 'close-intent', attempt }
  }
  return null
}
