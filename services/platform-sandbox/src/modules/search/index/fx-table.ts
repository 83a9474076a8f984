import { CURRENCY_CODES, type CurrencyCode } from '@melmastoon/domain'
import type { FxRates } from '../search-sources.ts'

const MICRO = 1_000_000n

export function currencyNumber(currency: CurrencyCode): number {
  return CURRENCY_CODES.indexOf(currency)
}

/** The price in millionths of a dollar, rounded down: for comparison, not for display. */
export function toUsdMicro(rates: FxRates, amountMicro: number, currency: CurrencyCode): number {
  return Number((BigInt(amountMicro) * MICRO) / rates[currency])
}
