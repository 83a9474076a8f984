import { type CurrencyCode, currencyExponent } from '@melmastoon/domain'

/** Millionths of a currency unit. Money is always a bigint here (D7). */
export type Micro = bigint

/** Basis points of the whole. */
export const WHOLE = 10_000n

const MICRO_EXPONENT = 6
const steps = new Map<CurrencyCode, Micro>()

/** One minor unit of the currency, the smallest amount that can be charged. */
export function minorUnitOf(currency: CurrencyCode): Micro {
  const known = steps.get(currency)
  if (known !== undefined) return known
  const step = 10n ** BigInt(MICRO_EXPONENT - currencyExponent(currency))
  steps.set(currency, step)
  return step
}

/**
 * Nearest integer to `numerator / denominator`, ties to even, so that rounding favours neither
 * guest nor hotel. The denominator is positive.
 */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  const rest = numerator - quotient * denominator
  if (rest === 0n) return quotient
  const twice = rest < 0n ? -2n * rest : 2n * rest
  if (twice < denominator) return quotient
  if (twice === denominator && quotient % 2n === 0n) return quotient
  return numerator < 0n ? quotient - 1n : quotient + 1n
}

/** The only rounding of prices: once per line, half to even, to the minor unit. */
export function roundToMinor(
  numerator: bigint,
  denominator: bigint,
  currency: CurrencyCode,
): Micro {
  const step = minorUnitOf(currency)
  return divideHalfEven(numerator, denominator * step) * step
}

export function shareOf(amount: Micro, basisPoints: bigint, currency: CurrencyCode): Micro {
  return roundToMinor(amount * basisPoints, WHOLE, currency)
}
