import type { Locale } from './locale.ts'
import { type LocalizedText, textFor } from './localized-text.ts'

const named = (en: string, ps: string, fa: string): LocalizedText => ({
  default: en,
  localized: { 'ps-AF': ps, 'fa-AF': fa },
})

/**
 * Currencies that the platform shows and accepts (consumer domain model §2.1). The exponent is that
 * of ISO 4217: `Intl` shows AFN, IRR and PKR without decimals, but their minor unit is a hundredth
 * (D7).
 */
export const CURRENCIES = {
  AFN: { exponent: 2, symbol: '؋', name: named('Afghan afghani', 'افغانۍ', 'افغانی') },
  USD: { exponent: 2, symbol: '$', name: named('US dollar', 'امریکایي ډالر', 'دالر امریکایی') },
  EUR: { exponent: 2, symbol: '€', name: named('Euro', 'یورو', 'یورو') },
  IRR: { exponent: 2, symbol: '﷼', name: named('Iranian rial', 'ایراني ریال', 'ریال ایرانی') },
  PKR: {
    exponent: 2,
    symbol: '₨',
    name: named('Pakistani rupee', 'پاکستانۍ کلدارې', 'کلدار پاکستانی'),
  },
  AED: { exponent: 2, symbol: 'د.إ', name: named('UAE dirham', 'اماراتي درهم', 'درهم اماراتی') },
  GBP: {
    exponent: 2,
    symbol: '£',
    name: named('British pound', 'برتانوي پونډ', 'پوند بریتانیایی'),
  },
} as const

export type CurrencyCode = keyof typeof CURRENCIES

export const CURRENCY_CODES: readonly CurrencyCode[] = Object.keys(CURRENCIES) as CurrencyCode[]

export function isCurrency(value: unknown): value is CurrencyCode {
  return typeof value === 'string' && Object.hasOwn(CURRENCIES, value)
}

export function currencyExponent(currency: CurrencyCode): number {
  return CURRENCIES[currency].exponent
}

export function currencySymbol(currency: CurrencyCode): string {
  return CURRENCIES[currency].symbol
}

export function currencyName(currency: CurrencyCode, locale: Locale): string {
  return textFor(CURRENCIES[currency].name, locale)
}
