import { CURRENCY_CODES, type CurrencyCode } from '@melmastoon/domain'
import type { FxRates } from '../search-sources.ts'

const MICRO = 1_000_000n
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER)

export interface PriceBounds {
  readonly low: number
  readonly high: number
}

export function currencyNumber(currency: CurrencyCode): number {
  return CURRENCY_CODES.indexOf(currency)
}

/** The price in millionths of a dollar, rounded down: for comparison, not for display. */
export function toUsdMicro(rates: FxRates, amountMicro: number, currency: CurrencyCode): number {
  return Number((BigInt(amountMicro) * MICRO) / rates[currency])
}

/**
 * A price range converted into every other currency. Exact: a price is within its bounds if and
 * only if its unrounded conversion is within the range.
 */
export function convertRange(
  rates: FxRates,
  range: { minMicro: bigint; maxMicro: bigint; currency: CurrencyCode },
): PriceBounds[] {
  const requested = rates[range.currency]
  return CURRENCY_CODES.map((currency) => {
    const own = rates[currency]
    return {
      low: toSafe((range.minMicro * own + requested - 1n) / requested),
      high: toSafe((range.maxMicro * own) / requested),
    }
  })
}

function toSafe(value: bigint): number {
  return Number(value > SAFE_MAX ? SAFE_MAX : value)
}
