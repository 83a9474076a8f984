import { CURRENCY_CODES } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divideHalfEven, minorUnitOf, roundToMinor, shareOf } from './micro.ts'
import { movePrice } from './move-price.ts'

const huge = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
const positive = fc.bigInt({ min: 1n, max: 10n ** 24n })

describe('rounding', () => {
  it('rounds to the nearest, ties to even', () => {
    fc.assert(
      fc.property(huge, positive, (numerator, denominator) => {
        const quotient = divideHalfEven(numerator, denominator)
        const distance = 2n * (numerator - quotient * denominator)
        expect(distance).toBeLessThanOrEqual(denominator)
        expect(distance).toBeGreaterThanOrEqual(-denominator)
        const isTie = distance === denominator || distance === -denominator
        expect(isTie && quotient % 2n !== 0n).toBe(false)
      }),
    )
  })

  it('is symmetric around zero', () => {
    fc.assert(
      fc.property(huge, positive, (numerator, denominator) => {
        expect(divideHalfEven(-numerator, denominator)).toBe(
          -divideHalfEven(numerator, denominator),
        )
      }),
    )
  })

  it.each([
    [5n, 10n, 0n],
    [15n, 10n, 2n],
    [25n, 10n, 2n],
    [-15n, 10n, -2n],
    [26n, 10n, 3n],
  ])('rounds %s / %s to %s', (numerator, denominator, expected) => {
    expect(divideHalfEven(numerator, denominator)).toBe(expected)
  })

  it('gives whole minor units in every currency', () => {
    fc.assert(
      fc.property(huge, positive, fc.constantFrom(...CURRENCY_CODES), (amount, whole, currency) => {
        expect(roundToMinor(amount, whole, currency) % minorUnitOf(currency)).toBe(0n)
      }),
    )
  })

  it('rounds ten percent of 0.25 and 0.35 to the even cent', () => {
    expect(shareOf(250_000n, 1_000n, 'USD')).toBe(20_000n)
    expect(shareOf(350_000n, 1_000n, 'USD')).toBe(40_000n)
  })
})

describe('changing a price', () => {
  it('returns a price in whole minor units, or null', () => {
    const basisPoints = fc.integer({ min: -9_000, max: 90_000 })
    const minor = fc.bigInt({ min: 1n, max: 10n ** 12n })
    fc.assert(
      fc.property(
        minor,
        basisPoints,
        fc.constantFrom(...CURRENCY_CODES),
        (amount, by, currency) => {
          const step = minorUnitOf(currency)
          const moved = movePrice(amount * step, by, currency) ?? step
          expect(moved).toBeGreaterThanOrEqual(step)
          expect(moved % step).toBe(0n)
        },
      ),
    )
  })

  it('never returns zero or an amount out of range', () => {
    expect(movePrice(10_000n, -9_000, 'AFN')).toBeNull()
    expect(movePrice(3_000_000_000_000_000n, 0, 'IRR')).toBe(3_000_000_000_000_000n)
    expect(movePrice(3_000_000_000_000_000n, 1, 'IRR')).toBeNull()
    expect(movePrice(5_000_000_000n, 1, 'USD')).toBeNull()
    expect(movePrice(1_000_000_000n, 1_000, 'AFN')).toBe(1_100_000_000n)
    expect(movePrice(1_000_000_000n, 0, 'AFN')).toBe(1_000_000_000n)
  })
})
