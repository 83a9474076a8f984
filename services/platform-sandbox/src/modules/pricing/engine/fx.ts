import type { CurrencyCode, Id } from '@melmastoon/domain'
import { divideHalfEven, type Micro, minorUnitOf } from './micro.ts'

export interface FxRates {
  readonly fxSnapshotId: Id<'fxs'>
  readonly base: CurrencyCode
  /** Millionths of the currency per unit of the base; the base itself has 1 000 000. */
  readonly rates: ReadonlyMap<CurrencyCode, bigint>
  readonly takenAtMs: number
  readonly staleAfterMs: number
  readonly hardExpireAtMs: number
  readonly source: string
}

export type FxState = 'fresh' | 'stale' | 'expired'

export function fxStateOf(fx: FxRates, nowMs: number): FxState {
  if (nowMs >= fx.hardExpireAtMs) return 'expired'
  return nowMs >= fx.staleAfterMs ? 'stale' : 'fresh'
}

export interface Exchange {
  readonly amount: Micro
  readonly from: CurrencyCode
  readonly to: CurrencyCode
}

/**
 * One exact fraction, rounded once, half to even, to the minor unit of the target. The caller
 * ensures that both currencies have a rate.
 */
export function convert(fx: FxRates, { amount, from, to }: Exchange): Micro {
  if (from === to) return amount
  const fromRate = fx.rates.get(from)
  const toRate = fx.rates.get(to)
  if (fromRate === undefined || toRate === undefined) throw new TypeError('no exchange rate')
  const step = minorUnitOf(to)
  return divideHalfEven(amount * toRate, fromRate * step) * step
}
