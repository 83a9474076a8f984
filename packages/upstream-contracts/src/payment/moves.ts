export const INTENT_STATUSES = [
  'requires_action',
  'processing',
  'authorized',
  'captured',
  'pending_cash',
  'failed',
  'cancelled',
  'refunded',
  'partially_refunded',
] as const
export type IntentStatus = (typeof INTENT_STATUSES)[number]

export interface IntentRule {
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
export const PAYMENT_MOVES = {
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
} as const satisfies Record<string, IntentRule>

export type IntentMove = keyof typeof PAYMENT_MOVES
