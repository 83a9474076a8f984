import type { CurrencyCode } from '@melmastoon/domain'
import { type Micro, minorUnitOf, shareOf, WHOLE } from './micro.ts'

/** A thousand million units a night: ten rooms for three months still fit into safe minor units. */
const NIGHTLY_MAX: Micro = 1_000_000_000_000_000n

/** Null when the result is no price any more: nothing at all, or out of any range. */
export function movePrice(
  nightly: Micro,
  basisPoints: number,
  currency: CurrencyCode,
): Micro | null {
  const moved = shareOf(nightly, WHOLE + BigInt(basisPoints), currency)
  return moved >= minorUnitOf(currency) && moved <= NIGHTLY_MAX ? moved : null
}
