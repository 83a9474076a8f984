import { CURRENCY_CODES } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FxRates } from '../search-sources.ts'
import { convertRange, currencyNumber, toUsdMicro } from './fx-table.ts'

const RATES: FxRates = {
  AFN: 70_512_345n,
  USD: 1_000_000n,
  EUR: 920_017n,
  IRR: 600_000_000_001n,
  PKR: 278_000_003n,
  AED: 3_672_500n,
  GBP: 780_009n,
}

const currency = fc.constantFrom(...CURRENCY_CODES)
const amount = fc.bigInt({ min: 1n, max: 10n ** 15n })

describe('a price range in another currency', () => {
  it('contains a price if and only if the range contains its exact value', () => {
    const around = fc.bigInt({ min: -2n, max: 2n })
    fc.assert(
      fc.property(
        amount,
        currency,
        currency,
        around,
        around,
        (price, own, requested, low, high) => {
          // The value of the price, rounded down, and its neighbours: the boundary cases.
          const worth = (price * RATES[requested]) / RATES[own]
          const minMicro = worth + low < 0n ? 0n : worth + low
          const maxMicro = worth + high < minMicro ? minMicro : worth + high
          const bounds = convertRange(RATES, { minMicro, maxMicro, currency: requested })
          const { low: from, high: to } = bounds[currencyNumber(own)] ?? { low: 1, high: 0 }
          const isWithin = Number(price) >= from && Number(price) <= to
          const scaled = price * RATES[requested]
          const isWorth = scaled >= minMicro * RATES[own] && scaled <= maxMicro * RATES[own]
          expect(isWithin).toBe(isWorth)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('of nineteen digits is rejected, not rounded', () => {
    const most = 9_999_999_999_999_999_999n
    const bounds = convertRange(RATES, { minMicro: 0n, maxMicro: most, currency: 'USD' })
    expect(bounds.every(({ low, high }) => low === 0 && high === Number.MAX_SAFE_INTEGER)).toBe(
      true,
    )
  })

  it('compares in dollars', () => {
    expect(toUsdMicro(RATES, 100_000_000, 'USD')).toBe(100_000_000)
    expect(toUsdMicro(RATES, 367_250_000, 'AED')).toBe(100_000_000)
  })
})
