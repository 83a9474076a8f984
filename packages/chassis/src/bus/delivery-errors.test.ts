import { describe, expect, it } from 'vitest'
import { redactReason } from './delivery-errors.ts'

describe('redactReason', () => {
  it('retains the reason and redacts personal data', () => {
    const reason = 'bad value "Amina" from amina@example.com, call +93 70 123 4567\n at x'
    expect(redactReason(reason)).toBe('bad value "[redacted]" from [redacted] call [redacted] at x')
    expect(redactReason('x'.repeat(1_000))).toHaveLength(300)
  })
})
