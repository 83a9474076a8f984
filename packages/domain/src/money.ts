import { type CurrencyCode, currencyExponent, isCurrency } from './currency.ts'
import { problem } from './problem.ts'

/**
 * An amount in minor units. Nothing here adds or multiplies: the BFF services never compute money
 * (D7).
 */
export interface Money {
  readonly amountMinor: number
  readonly currency: CurrencyCode
}

/** Upstream services count millionths of the major unit. */
const MICRO_EXPONENT = 6
/** 38 digits hold any bigint column of an upstream service; longer text is not parsed. */
const MICRO_TEXT = /^-?[0-9]{1,38}$/

export function money(amountMinor: number, currency: CurrencyCode): Money {
  if (!isCurrency(currency)) throw new TypeError('currency is not in the platform set')
  if (!Number.isSafeInteger(amountMinor)) {
    throw new RangeError('amountMinor must be a safe integer')
  }
  return { amountMinor: amountMinor === 0 ? 0 : amountMinor, currency }
}

export function isMoney(value: unknown): value is Money {
  if (typeof value !== 'object' || value === null) return false
  const { amountMinor, currency } = value as Record<string, unknown>
  return Number.isSafeInteger(amountMinor) && isCurrency(currency)
}

/** Converts exactly or throws a Problem; it never rounds (D7). */
export function microToMinor(amountMicro: bigint | string, currency: CurrencyCode): Money {
  if (typeof amountMicro === 'string' && !MICRO_TEXT.test(amountMicro)) {
    throw contractBroken('amountMicro is not an integer')
  }
  const micro = BigInt(amountMicro)
  const divisor = 10n ** BigInt(MICRO_EXPONENT - currencyExponent(currency))
  if (micro % divisor !== 0n) throw contractBroken('amountMicro is finer than the minor unit')
  const minor = Number(micro / divisor)
  if (!Number.isSafeInteger(minor)) throw contractBroken('amountMicro is out of range')
  return money(minor, currency)
}

export function minorToMicro(amount: Money): bigint {
  const factor = 10n ** BigInt(MICRO_EXPONENT - currencyExponent(amount.currency))
  return BigInt(amount.amountMinor) * factor
}

/**
 * Negative, zero or positive, like a sort function; amounts in different currencies have no order.
 */
export function compareMoney(a: Money, b: Money): number {
  if (a.currency !== b.currency) throw new TypeError('amounts of two currencies have no order')
  return Math.sign(a.amountMinor - b.amountMinor)
}

const formatters = new Map<string, Intl.NumberFormat>()
/** All locales times all currencies of the platform stay far below; beyond it nothing is cached. */
const FORMATTERS_MAX = 256

function formatterOf(locale: string, currency: CurrencyCode): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  const digits = currencyExponent(currency)
  const formatter = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  if (formatters.size < FORMATTERS_MAX) formatters.set(key, formatter)
  return formatter
}

/** Formats the decimal text, not a float, so that safe integers are shown exactly. */
export function formatMoney(amount: Money, locale: string): string {
  return formatterOf(locale, amount.currency).format(decimalText(amount) as `${number}`)
}

function decimalText({ amountMinor, currency }: Money): string {
  const exponent = currencyExponent(currency)
  const digits = Math.abs(amountMinor)
    .toString()
    .padStart(exponent + 1, '0')
  const sign = amountMinor < 0 ? '-' : ''
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

function contractBroken(detail: string) {
  return problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN', { detail })
}
