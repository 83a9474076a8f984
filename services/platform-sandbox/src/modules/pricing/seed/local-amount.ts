import type { CurrencyCode } from '@melmastoon/domain'
import { divideHalfEven, minorUnitOf } from '../engine/micro.ts'
import { REFERENCE_FX } from '../fx-reference.ts'

/** What a fixed amount is worth where another currency is charged, at the reference rates. */
export function localAmount(minor: number, from: CurrencyCode, to: CurrencyCode): string {
  const micro = BigInt(minor) * minorUnitOf(from)
  if (from === to) return micro.toString()
  const step = minorUnitOf(to)
  const amount = divideHalfEven(micro * REFERENCE_FX[to], REFERENCE_FX[from] * step) * step
  return amount.toString()
}
