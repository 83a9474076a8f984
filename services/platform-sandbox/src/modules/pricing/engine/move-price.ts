import type { CurrencyCode } from '@melmastoon/domain'
import { REFERENCE_FX } from '../fx-reference.ts'
import { type Micro, minorUnitOf, shareOf, WHOLE } from './micro.ts'

/**
 * Ten such rooms for three months in high season, with taxes and in rials, still fit into the
 * nineteen digits of the contract: one hotel must not break a page of many.
 */
const NIGHTLY_MAX_DOLLARS = 5_000n

/** Null when the result is not a valid price: zero, or out of range. */
export function movePrice(
  nightly: Micro,
  basisPoints: number,
  currency: CurrencyCode,
): Micro | null {
  const moved = shareOf(nightly, WHOLE + BigInt(basisPoints), currency)
  const max = NIGHTLY_MAX_DOLLARS * REFERENCE_FX[currency]
  return moved >= minorUnitOf(currency) && moved <= max ? moved : null
}
