import { divideHalfEven } from './micro.ts'

/** Below half of it, the relative error of a double cannot change how a fraction is rounded. */
const RELATIVE_ERROR = 2 ** -48

/**
 * `amount * numerator / denominator` to the nearest integer, ties to even, as `divideHalfEven` but
 * for numbers: exact for all non-negative safe integers, because a product that a double cannot
 * represent is estimated, and computed as a bigint where the estimate is too close to a tie.
 */
export function scaleHalfEven(amount: number, numerator: number, denominator: number): number {
  const product = amount * numerator
  if (product > Number.MAX_SAFE_INTEGER) return scaleLarge(amount, numerator, denominator)
  const rest = product % denominator
  const quotient = (product - rest) / denominator
  const twice = rest * 2
  return twice > denominator || (twice === denominator && quotient % 2 === 1)
    ? quotient + 1
    : quotient
}

function scaleLarge(amount: number, numerator: number, denominator: number): number {
  const estimate = amount * (numerator / denominator)
  const fromTie = Math.abs(estimate - Math.floor(estimate) - 0.5)
  if (fromTie > estimate * RELATIVE_ERROR) return Math.round(estimate)
  return Number(divideHalfEven(BigInt(amount) * BigInt(numerator), BigInt(denominator)))
}

/** The fraction in its lowest terms: more products are then safe integers. */
export function reduceFraction(numerator: bigint, denominator: bigint): [number, number] {
  let [a, b] = [numerator, denominator]
  while (b !== 0n) [a, b] = [b, a % b]
  return a === 0n ? [0, 1] : [Number(numerator / a), Number(denominator / a)]
}
