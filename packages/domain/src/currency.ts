/**
 * Currencies that the platform shows and accepts (consumer domain model §2.1). The exponent is that
 * of ISO 4217: `Intl` shows AFN, IRR and PKR without decimals, but their minor unit is a hundredth
 * (D7).
 */
export const CURRENCIES = {
  AFN: { exponent: 2 },
  USD: { exponent: 2 },
  EUR: { exponent: 2 },
  IRR: { exponent: 2 },
  PKR: { exponent: 2 },
  AED: { exponent: 2 },
  GBP: { exponent: 2 },
} as const

export type CurrencyCode = keyof typeof CURRENCIES

export const CURRENCY_CODES: readonly CurrencyCode[] = Object.keys(CURRENCIES) as CurrencyCode[]

export function isCurrency(value: unknown): value is CurrencyCode {
  return typeof value === 'string' && Object.hasOwn(CURRENCIES, value)
}

export function currencyExponent(currency: CurrencyCode): number {
  return CURRENCIES[currency].exponent
}
