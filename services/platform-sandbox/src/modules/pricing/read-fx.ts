import { type CurrencyCode, isCurrency, problem, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { type FxRates, fxStateOf } from './engine/fx.ts'
import type { FxRow, MaybeFxRow } from './fx-sql.ts'
import type { RateBook } from './rate-book.ts'
import { agedFx } from './scenarios.ts'

export type FxSnapshot = OutputOf<typeof pricingContract.operations.latestFx>

export function fxFromRow(row: MaybeFxRow): FxRates | null {
  return row.fx_snapshot_id === null ? null : toFxRates(row as FxRow)
}

function toFxRates(row: FxRow): FxRates {
  const rates = new Map<CurrencyCode, bigint>()
  for (const [currency, rate] of Object.entries(row.rates)) {
    if (isCurrency(currency)) rates.set(currency, BigInt(rate))
  }
  return {
    fxSnapshotId: uuidToId('fxs', row.fx_snapshot_id),
    base: row.base,
    rates,
    source: row.source,
    takenAtMs: row.taken_at.getTime(),
    staleAfterMs: row.stale_after.getTime(),
    hardExpireAtMs: row.hard_expire_at.getTime(),
  }
}

export function renderFx(fx: FxRates, nowMs: number): FxSnapshot {
  return {
    fxSnapshotId: fx.fxSnapshotId,
    base: fx.base,
    rates: Object.fromEntries([...fx.rates].map(([code, rate]) => [code, rate.toString()])),
    takenAt: toIsoDateTime(new Date(fx.takenAtMs)),
    staleAfter: toIsoDateTime(new Date(fx.staleAfterMs)),
    hardExpireAt: toIsoDateTime(new Date(fx.hardExpireAtMs)),
    stale: fxStateOf(fx, nowMs) !== 'fresh',
    source: fx.source,
  }
}

export async function readLatestFx(
  book: RateBook,
  scenario: string | undefined,
): Promise<FxSnapshot> {
  const { fx, nowMs } = await book.open([])
  const aged = agedFx(fx, scenario)
  if (aged === null) throw problem('MELMASTOON.PRICING.FX_SNAPSHOT_STALE')
  return renderFx(aged, nowMs)
}
