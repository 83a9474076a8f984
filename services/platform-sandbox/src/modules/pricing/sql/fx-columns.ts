import { sql } from '@melmastoon/chassis/db'
import type { CurrencyCode } from '@melmastoon/domain'

export interface FxRow {
  readonly fx_snapshot_id: string
  readonly base: CurrencyCode
  readonly rates: Readonly<Record<string, string>>
  readonly source: string
  readonly taken_at: Date
  readonly stale_after: Date
  readonly hard_expire_at: Date
}

/** All of it is null while there has never been a snapshot. */
export type MaybeFxRow = FxRow | { readonly [K in keyof FxRow]: null }

/** To be joined laterally: the snapshot in force. */
export const latestFx = sql`
  (select fx_snapshot_id, base, rates, source, taken_at, stale_after, hard_expire_at
   from sandbox.pricing_fx_snapshot order by taken_at desc limit 1)`
