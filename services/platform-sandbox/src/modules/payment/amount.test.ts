import type { Problem } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minorOf, readAmount } from './amount.ts'

const read = (amountMicro: string) => readAmount({ amountMicro, currency: 'AFN' })

describe('amounts', () => {
  it('are exact whole minor units', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 14n), (minor) => {
        expect(read(String(minor * 10_000n))).toBe(minor * 10_000n)
        expect(minorOf(minor * 10_000n, 'AFN').amountMinor).toBe(Number(minor))
      }),
    )
  })

  it.each(['0', '-10000', '1', '9999', '10001', '1000000000000010000'])('are not %s', (micro) => {
    const attempt = () => read(micro)
    expect(attempt).toThrow(
      expect.objectContaining<Partial<Problem>>({ code: 'MELMASTOON.PAYMENT.AMOUNT_INVALID' }),
    )
  })

  it('are in the currency of the payment', () => {
    const euros = { amountMicro: '10000', currency: 'EUR' } as const
    expect(() => readAmount(euros, 'AFN')).toThrow(
      expect.objectContaining<Partial<Problem>>({ code: 'MELMASTOON.PAYMENT.AMOUNT_INVALID' }),
    )
  })
})
