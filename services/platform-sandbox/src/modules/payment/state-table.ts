import { problem } from '@melmastoon/domain'
import type { IntentStatus } from '@melmastoon/upstream-contracts/payment'

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

interface Rule {
  readonly from: readonly IntentStatus[]
  readonly to: IntentStatus
  readonly event: 'authorized' | 'captured' | 'failed' | 'refunded' | null
  /** `in_time`: only before the expiry. `overdue`: only after it. */
  readonly when: 'in_time' | 'overdue' | 'any'
  /** The expiry while it waits for the next transition. */
  readonly expiry: 'retained' | 'as_authorization' | 'none'
}

/**
 * All transitions of a payment. Money is captured in three rows and refunded in two; there are no
 * cycles, so a payment has one outcome regardless of the order of events.
 */
export const MOVES = {
  /** The payer has agreed and the response is pending. */
  wait: {
    from: ['requires_action'],
    to: 'processing',
    event: null,
    when: 'in_time',
    expiry: 'retained',
  },
  authorize: {
    from: ['requires_action', 'processing'],
    to: 'authorized',
    event: 'authorized',
    when: 'in_time',
    expiry: 'as_authorization',
  },
  /** Authorized and captured in one step. */
  settle: {
    from: ['requires_action', 'processing'],
    to: 'captured',
    event: 'captured',
    when: 'in_time',
    expiry: 'none',
  },
  capture: {
    from: ['authorized'],
    to: 'captured',
    event: 'captured',
    when: 'in_time',
    expiry: 'none',
  },
  receive_cash: {
    from: ['pending_cash'],
    to: 'captured',
    event: 'captured',
    when: 'any',
    expiry: 'none',
  },
  fail: {
    from: ['requires_action', 'processing'],
    to: 'failed',
    event: 'failed',
    when: 'any',
    expiry: 'none',
  },
  cancel: {
    from: ['requires_action', 'processing', 'authorized', 'pending_cash'],
    to: 'cancelled',
    event: 'failed',
    when: 'any',
    expiry: 'none',
  },
  expire: {
    from: ['requires_action', 'processing', 'authorized'],
    to: 'cancelled',
    event: 'failed',
    when: 'overdue',
    expiry: 'none',
  },
  refund_part: {
    from: ['captured', 'partially_refunded'],
    to: 'partially_refunded',
    event: 'refunded',
    when: 'any',
    expiry: 'none',
  },
  refund_rest: {
    from: ['captured', 'partially_refunded'],
    to: 'refunded',
    event: 'refunded',
    when: 'any',
    expiry: 'none',
  },
} as const satisfies Record<string, Rule>

export type Move = keyof typeof MOVES

export interface Change {
  readonly move: Move
  /** For `capture` (default: everything) and refunds. */
  readonly amountMicro?: bigint
  /** Why it failed, was cancelled or refunded. */
  readonly reasonCode?: string
}

export function ruleOf(move: Move): Rule {
  return MOVES[move]
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
