import type { Problem } from '@melmastoon/domain'
import {
  INTENT_STATUSES,
  type IntentMove,
  type IntentStatus,
  PAYMENT_MOVES,
} from '@melmastoon/upstream-contracts/payment'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyMove, type Change, type PaymentState, refundChange, ruleOf } from './state-table.ts'

const MOVE_NAMES = Object.keys(PAYMENT_MOVES) as IntentMove[]
const FINAL: readonly IntentStatus[] = ['captured', 'failed', 'cancelled']

function state(status: IntentStatus, more: Partial<PaymentState> = {}): PaymentState {
  const hasMoney = ['captured', 'refunded', 'partially_refunded'].includes(status)
  const refunded = { captured: 0n, partially_refunded: 300n, refunded: 1_000n }
  return {
    status,
    version: 1,
    amountMicro: 1_000n,
    capturedMicro: hasMoney ? 1_000n : 0n,
    refundedMicro: refunded[status as keyof typeof refunded] ?? 0n,
    declineCode: null,
    isOverdue: false,
    ...more,
  }
}

function rejection(before: PaymentState, change: Change): string | null {
  try {
    applyMove(before, change)
    return null
  } catch (error) {
    return (error as Problem).code.split('.').at(-1) ?? ''
  }
}

const changeOf = (move: IntentMove): Change => {
  const amounts: Partial<Record<IntentMove, bigint>> = { refund_part: 100n, refund_rest: 100n }
  const amountMicro = amounts[move]
  return amountMicro === undefined ? { move } : { move, amountMicro }
}

describe('the transition table', () => {
  it('allows exactly its rows, for every status, both in time and overdue', () => {
    const allowed: string[] = []
    const codes = new Set<string>()
    for (const move of MOVE_NAMES) {
      for (const status of INTENT_STATUSES) {
        for (const isOverdue of [false, true]) {
          const code = rejection(state(status, { isOverdue }), changeOf(move))
          if (code === null) allowed.push(`${status} ${move} ${isOverdue ? 'overdue' : 'in time'}`)
          else codes.add(code)
        }
      }
    }
    const expected = MOVE_NAMES.flatMap((move) => {
      const { from, when } = ruleOf(move)
      const times =
        when === 'any' ? ['in time', 'overdue'] : [when === 'overdue' ? when : 'in time']
      return from.flatMap((status) => times.map((time) => `${status} ${move} ${time}`))
    })
    expect(allowed.toSorted()).toEqual(expected.toSorted())
    expect(codes).toEqual(new Set(['ILLEGAL_TRANSITION']))
  })

  it('has no cycles: every path ends, and captures at most once', () => {
    const takes = new Set<IntentMove>(['settle', 'capture', 'receive_cash'])
    const walk = (status: IntentStatus, path: readonly IntentMove[]): void => {
      expect(path.filter((move) => takes.has(move)).length).toBeLessThanOrEqual(1)
      expect(path.length).toBeLessThan(6)
      for (const move of MOVE_NAMES) {
        const { from, to } = ruleOf(move)
        const isLoop = move === 'refund_part' && path.includes(move)
        if (from.includes(status) && !isLoop) walk(to, [...path, move])
      }
    }
    for (const status of ['requires_action', 'processing', 'pending_cash'] as const)
      walk(status, [])
  })

  it('never refunds more than was captured', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(-10n, 1_500n), { maxLength: 12 }), (amounts) => {
        let now = state('captured')
        for (const amount of amounts) {
          const change = refundChange(now, amount, 'x')
          if (rejection(now, change) === null) now = applyMove(now, change)
          expect(now.refundedMicro).toBeLessThanOrEqual(now.capturedMicro)
          expect(now.status === 'refunded').toBe(now.refundedMicro === now.capturedMicro)
        }
      }),
    )
  })

  it('reports the reason', () => {
    expect(rejection(state('captured'), { move: 'refund_part', amountMicro: 1_001n })).toBe(
      'REFUND_TOO_LARGE',
    )
    expect(rejection(state('captured'), { move: 'refund_part', amountMicro: 0n })).toBe(
      'AMOUNT_INVALID',
    )
    expect(rejection(state('authorized'), { move: 'capture', amountMicro: 1_001n })).toBe(
      'AMOUNT_INVALID',
    )
  })
})

type Step = 'approve' | 'return' | 'webhook' | 'duplicate' | 'late' | 'lookup' | 'cancel' | 'expiry'

const STEPS: readonly Step[] = [
  'approve',
  'return',
  'webhook',
  'duplicate',
  'late',
  'lookup',
  'cancel',
  'expiry',
]

/** A payment and an observer that uses every available channel. */
class Payment {
  now = state('requires_action')
  readonly observed: PaymentState[] = []
  readonly events: string[] = []
  known = this.now
  #unread: PaymentState[] = []
  #read: PaymentState[] = []

  play(step: Step): void {
    if (step === 'approve') this.#move({ move: 'settle' })
    if (step === 'cancel') this.#move({ move: 'cancel', reasonCode: 'guest_left' })
    if (step === 'expiry') this.#expire()
    if (step === 'return' || step === 'lookup') this.#receive(this.now)
    if (step === 'webhook') this.#deliver(this.#unread.shift())
    if (step === 'late') this.#deliver(this.#unread.pop())
    if (step === 'duplicate') this.#deliver(this.#read.at(-1))
  }

  /** Delivers everything that is still pending. */
  drain(): void {
    while (this.#unread.length > 0) this.play('late')
  }

  #expire(): void {
    if (this.now.status === 'requires_action') this.now = { ...this.now, isOverdue: true }
    this.#move({ move: 'expire', reasonCode: 'expired' })
  }

  #move(change: Change): void {
    if (rejection(this.now, change) !== null) return
    this.now = applyMove(this.now, change)
    this.observed.push(this.now)
    this.#unread.push(this.now)
    const { event } = ruleOf(change.move)
    if (event !== null) this.events.push(event)
  }

  #deliver(snapshot: PaymentState | undefined): void {
    if (snapshot === undefined) return
    this.#read.push(snapshot)
    this.#receive(snapshot)
  }

  #receive(snapshot: PaymentState): void {
    if (snapshot.version > this.known.version) this.known = snapshot
  }
}

function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length < 2) yield items
  for (const [index, item] of items.entries()) {
    const rest = items.toSpliced(index, 1)
    if (items.length >= 2) for (const tail of permutations(rest)) yield [item, ...tail]
  }
}

describe('consistency', () => {
  it('has one outcome in every order of approval, return, webhooks, lookup, cancellation and expiry', {
    timeout: 30_000,
  }, () => {
    const outcomes = new Map<string, number>()
    let orders = 0
    const wrong: string[] = []
    for (const order of permutations(STEPS)) {
      orders += 1
      const payment = new Payment()
      for (const step of order) payment.play(step)
      payment.drain()
      const { now, observed, events, known } = payment
      const isRight =
        FINAL.includes(now.status) &&
        observed.length === 1 &&
        events.length === 1 &&
        now.version === 2 &&
        now.capturedMicro === (now.status === 'captured' ? now.amountMicro : 0n) &&
        known === now
      if (!isRight) wrong.push(order.join(' '))
      const first = order.find((step) => ['approve', 'cancel', 'expiry'].includes(step))
      outcomes.set(`${first} → ${now.status}`, (outcomes.get(`${first} → ${now.status}`) ?? 0) + 1)
    }
    expect(wrong).toEqual([])
    expect(orders).toBe(40_320)
    expect([...outcomes.keys()].toSorted()).toEqual([
      'approve → captured',
      'cancel → cancelled',
      'expiry → cancelled',
    ])
  })
})
