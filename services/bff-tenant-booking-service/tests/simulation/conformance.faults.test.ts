import { expect, it } from 'vitest'
import { compareSequences } from './conformance/compare-sequences.ts'
import { startSandbox } from './conformance/sandbox-subject.ts'

/** Every rejection that the interpreter must know, reached at least once. */
const REACHED = [
  'hold MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
  'hold MELMASTOON.RESERVATION.HOLD_ACTIVE',
  'hold MELMASTOON.PRICING.QUOTE_EXPIRED',
  'hold MELMASTOON.PRICING.PRICE_CHANGED',
  'hold MELMASTOON.TENANT.SUSPENDED',
  'hold MELMASTOON.IDEMPOTENCY.KEY_REUSED',
  'extend MELMASTOON.RESERVATION.HOLD_EXPIRED',
  'reprice MELMASTOON.RESERVATION.QUOTE_MISMATCH',
  'confirm MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
  'confirm MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
  'confirm MELMASTOON.PRICING.PRICE_CHANGED',
  'cancel MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
  'capture MELMASTOON.PAYMENT.DECLINED',
  'capture MELMASTOON.PAYMENT.ILLEGAL_TRANSITION',
  'refund MELMASTOON.PAYMENT.REFUND_TOO_LARGE',
  'cancel_intent MELMASTOON.PAYMENT.ILLEGAL_TRANSITION',
  'create_intent MELMASTOON.PAYMENT.AMOUNT_INVALID',
]

it('the simulated upstream responds like the sandbox in 1,000 sequences', async () => {
  await using sandbox = await startSandbox()
  const comparison = await compareSequences(sandbox, { seed: 2, runs: 950, settledRuns: 50 })
  process.stdout.write(`${comparison.steps} steps compared\n`)
  expect(REACHED.filter((outcome) => !comparison.outcomes.has(outcome))).toEqual([])
}, 1_800_000)
