import { CURRENCY_CODES, type CurrencyCode, newId } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minorConverter } from '../display-price.ts'
import { demoRates, REFERENCE_FX } from '../fx-reference.ts'
import { convert, type FxRates, fxStateOf } from './fx.ts'
import { minorUnitOf } from './micro.ts'

const HOUR_MS = 3_600_000

function snapshot(rates: Readonly<Record<string, bigint>>): FxRates {
  return {
    fxSnapshotId: newId('fxs'),
    base: 'USD',
    rates: new Map(Object.entries(rates) as [CurrencyCode, bigint][]),
    takenAtMs: 0,
    staleAfterMs: 24 * HOUR_MS,
    hardExpireAtMs: 72 * HOUR_MS,
    source: 'test',
  }
}

const fx = fc.date({ min: new Date(0), max: new Date(2e12), noInvalidDate: true }).map((hour) => {
  return snapshot(demoRates(hour))
})
const currency = fc.constantFrom(...CURRENCY_CODES)
const minor = fc.bigInt({ min: 0n, max: 10n ** 15n })

describe('converting', () => {
  it('of minor units as numbers equals that of bigints', () => {
    fc.assert(
      fc.property(fx, fc.nat({ max: 2 ** 48 }), currency, currency, (rates, amount, from, to) => {
        const micro = BigInt(amount) * minorUnitOf(from)
        const exact = convert(rates, { amount: micro, from, to }) / minorUnitOf(to)
        fc.pre(exact <= BigInt(Number.MAX_SAFE_INTEGER))
        expect(minorConverter(rates, from, to)(amount)).toBe(Number(exact))
      }),
      { numRuns: 2_000 },
    )
  })

  it('and back loses at most one minor unit of the coarser of the two currencies', () => {
    fc.assert(
      fc.property(fx, currency, currency, minor, (rates, from, to, amountMinor) => {
        const amount = amountMinor * minorUnitOf(from)
        const there = convert(rates, { amount, from, to })
        const back = convert(rates, { amount: there, from: to, to: from })
        const lost = back > amount ? back - amount : amount - back
        const [fromRate, toRate] = [rates.rates.get(from) ?? 1n, rates.rates.get(to) ?? 1n]
        const coarse = (minorUnitOf(to) * fromRate) / toRate + 1n
        const own = minorUnitOf(from)
        expect(lost).toBeLessThanOrEqual(coarse > own ? coarse : own)
      }),
    )
  })

  it('returns whole minor units and preserves the order of amounts', () => {
    fc.assert(
      fc.property(fx, currency, currency, minor, minor, (rates, from, to, a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        const show = (amount: bigint) =>
          convert(rates, { amount: amount * minorUnitOf(from), from, to })
        expect(show(low) % minorUnitOf(to)).toBe(0n)
        expect(show(low)).toBeLessThanOrEqual(show(high))
      }),
    )
  })

  it('matches the worked example of 35.00 dollars', () => {
    const rates = snapshot(REFERENCE_FX)
    const usd = { amount: 35_000_000n, from: 'USD' } as const
    expect(convert(rates, { ...usd, to: 'AFN' })).toBe(2_467_500_000n)
    expect(convert(rates, { ...usd, to: 'EUR' })).toBe(32_200_000n)
    expect(convert(rates, { ...usd, to: 'IRR' })).toBe(21_000_000_000_000n)
    expect(convert(rates, { amount: 100_000_000n, from: 'AFN', to: 'USD' })).toBe(1_420_000n)
  })

  it('has no result for a currency without a rate', () => {
    const { AFN: _, ...others } = REFERENCE_FX
    const exchange = { amount: 1n, from: 'AFN', to: 'USD' } as const
    expect(() => convert(snapshot(others), exchange)).toThrow(TypeError)
  })
})

describe('the age of exchange rates', () => {
  it.each([
    [0, 'fresh'],
    [24 * HOUR_MS - 1, 'fresh'],
    [24 * HOUR_MS, 'stale'],
    [72 * HOUR_MS - 1, 'stale'],
    [72 * HOUR_MS, 'expired'],
  ] as const)('after %d ms is %s', (ageMs, expected) => {
    expect(fxStateOf(snapshot(REFERENCE_FX), ageMs)).toBe(expected)
  })
})

describe('the rates of an hour', () => {
  it('are deterministic, near the reference, and fixed for pegged currencies', () => {
    const hour = new Date('2026-08-21T10:00:00Z')
    const rates = demoRates(hour)
    expect(rates).toEqual(demoRates(new Date(hour)))
    expect(rates.AED).toBe(REFERENCE_FX.AED)
    for (const code of CURRENCY_CODES) {
      const off = rates[code] - REFERENCE_FX[code]
      expect((off < 0n ? -off : off) * 1_000n).toBeLessThanOrEqual(REFERENCE_FX[code] * 5n)
    }
    expect(demoRates(new Date(hour.getTime() + HOUR_MS))).not.toEqual(rates)
  })
})
