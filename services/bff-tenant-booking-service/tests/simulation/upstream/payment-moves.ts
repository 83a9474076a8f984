import { type CurrencyCode, isProblem, microToMinor, problem } from '@melmastoon/domain'
import {
  type IntentMove,
  type IntentRule,
  type IntentStatus,
  PAYMENT_MOVES,
} from '@melmastoon/upstream-contracts/payment'

/** The part of a payment that transitions change. */
export interface PaymentState {
  readonly status: IntentStatus
  readonly version: number
  readonly amountMicro: bigint
  readonly capturedMicro: bigint
  readonly refundedMicro: bigint
  readonly declineCode: string | null
}

export interface PaymentChange {
  readonly move: IntentMove
  readonly amountMicro?: bigint
  readonly reasonCode?: string
}

export function ruleOf(move: IntentMove): IntentRule {
  return PAYMENT_MOVES[move]
}

/** The state after a change by the table of transitions, or a rejection. */
export function applyChange<S extends PaymentState>(
  before: S,
  change: PaymentChange,
  isOverdue: boolean,
): S {
  const rule = ruleOf(change.move)
  const isInTime = rule.when === 'any' || isOverdue === (rule.when === 'overdue')
  if (!rule.from.includes(before.status) || !isInTime) {
    throw problem('MELMASTOON.PAYMENT.ILLEGAL_TRANSITION')
  }
  return {
    ...before,
    ...moneyAfter(before, change),
    status: rule.to,
    version: before.version + 1,
    declineCode: rule.event === 'failed' ? (change.reasonCode ?? null) : before.declineCode,
  }
}

function moneyAfter(before: PaymentState, { move, amountMicro }: PaymentChange) {
  if (move === 'settle' || move === 'receive_cash') return { capturedMicro: before.amountMicro }
  if (move === 'capture') {
    const capturedMicro = amountMicro ?? before.amountMicro
    if (capturedMicro <= 0n || capturedMicro > before.amountMicro) throw amountInvalid()
    return { capturedMicro }
  }
  if (move !== 'refund_part' && move !== 'refund_rest') return {}
  const refundedMicro = before.refundedMicro + (amountMicro ?? 0n)
  if (refundedMicro <= before.capturedMicro) return { refundedMicro }
  throw problem('MELMASTOON.PAYMENT.REFUND_TOO_LARGE')
}

const AMOUNT_MAX_MICRO = 10n ** 18n

/** Positive, in range, in this currency, and whole minor units. */
export function readAmount(
  amount: { readonly amountMicro: string; readonly currency: CurrencyCode },
  currency = amount.currency,
): bigint {
  const micro = BigInt(amount.amountMicro)
  if (amount.currency !== currency || micro <= 0n || micro > AMOUNT_MAX_MICRO) throw amountInvalid()
  minorOf(micro, currency)
  return micro
}

export function minorOf(micro: bigint, currency: CurrencyCode): number {
  try {
    return microToMinor(micro, currency).amountMinor
  } catch (error) {
    throw isProblem(error) ? amountInvalid() : error
  }
}

function amountInvalid() {
  return problem('MELMASTOON.PAYMENT.AMOUNT_INVALID')
}
