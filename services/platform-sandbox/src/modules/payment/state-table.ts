import { problem } from '@melmastoon/domain'
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
  /** By the database clock: the time to pay or capture is over. */
  readonly isOverdue: boolean
}

export interface Change {
  readonly move: IntentMove
  /** For `capture` (default: everything) and refunds. */
  readonly amountMicro?: bigint
  /** Why it failed, was cancelled or refunded. */
  readonly reasonCode?: string
}

export function ruleOf(move: IntentMove): IntentRule {
  return PAYMENT_MOVES[move]
}

/** Partial or full refund, depending on the remaining amount. */
export function refundChange(
  before: PaymentState,
  amountMicro: bigint,
  reasonCode: string,
): Change {
  const isRest = before.refundedMicro + amountMicro === before.capturedMicro
  return { move: isRest ? 'refund_rest' : 'refund_part', amountMicro, reasonCode }
}

/**
 * The state after a change, or an error. Decides everything; the database only stores the result.
 */
export function applyMove(before: PaymentState, change: Change): PaymentState {
  const rule = ruleOf(change.move)
  const isInTime = rule.when === 'any' || before.isOverdue === (rule.when === 'overdue')
  if (!rule.from.includes(before.status) || !isInTime) throw illegal(before.status)
  return {
    ...before,
    ...moveMoney(before, change),
    status: rule.to,
    version: before.version + 1,
    declineCode: rule.event === 'failed' ? (change.reasonCode ?? null) : before.declineCode,
    isOverdue: rule.expiry === 'retained' && before.isOverdue,
  }
}

function moveMoney(before: PaymentState, { move, amountMicro }: Change): Partial<PaymentState> {
  switch (move) {
    case 'settle':
    case 'receive_cash':
      return { capturedMicro: before.amountMicro }
    case 'capture':
      return { capturedMicro: capturable(before, amountMicro ?? before.amountMicro) }
    case 'refund_part':
    case 'refund_rest':
      return { refundedMicro: refunded(before, amountMicro ?? 0n) }
    case 'wait':
    case 'authorize':
    case 'fail':
    case 'cancel':
    case 'expire':
      return {}
  }
}

function capturable(before: PaymentState, amountMicro: bigint): bigint {
  if (amountMicro > 0n && amountMicro <= before.amountMicro) return amountMicro
  const detail = 'More than was authorized cannot be captured.'
  throw problem('MELMASTOON.PAYMENT.AMOUNT_INVALID', { detail })
}

function refunded(before: PaymentState, amountMicro: bigint): bigint {
  if (amountMicro <= 0n) throw problem('MELMASTOON.PAYMENT.AMOUNT_INVALID')
  const sum = before.refundedMicro + amountMicro
  if (sum > before.capturedMicro) throw problem('MELMASTOON.PAYMENT.REFUND_TOO_LARGE')
  return sum
}

function illegal(status: IntentStatus) {
  return problem('MELMASTOON.PAYMENT.ILLEGAL_TRANSITION', { extensions: { status } })
}
