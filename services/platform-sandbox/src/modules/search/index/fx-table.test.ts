import { describe, expect, it } from 'vitest'
import type { FxRates } from '../search-sources.ts'
import { toUsdMicro } from './fx-table.ts'

const RATES: FxRates = {
  AFN: 70_512_345n,
  USD: 1_000_000n,
  EUR: 920_017n,
  IRR: 600_000_000_001n,
  PKR: 278_000_003n,
  AED: 3_672_500n,
  GBP: 780_009n,
}

describe('a price for ranking', () => {
  it('is compared in dollars', () => {
    expect(toUsdMicro(RATES, 100_000_000, 'USD')).toBe(100_000_000)
    expect(toUsdMicro(RATES, 367_250_000, 'AED')).toBe(100_000_000)
  })
})
