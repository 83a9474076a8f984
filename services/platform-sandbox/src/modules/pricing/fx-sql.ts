import { type Statement, sql } from '@melmastoon/chassis/db'
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

/** All columns are null while there is no snapshot. */
export type MaybeFxRow = FxRow | { readonly [K in keyof FxRow]: null }

/** For a lateral join: the current snapshot. */
export const latestFx = sql`
  (select fx_snapshot_id, base, rates, source, taken_at, stale_after, hard_expire_at
   from sandbox.pricing_fx_snapshot order by taken_at desc limit 1)`

export function readHour(): Statement<{ hour: Date }> {
  return sql<{ hour: Date }>`select date_trunc('hour', now()) as hour`
}

export interface NewFxSnapshot {
  readonly id: string
  readonly base: string
  readonly rates: Readonly<Record<string, string>>
  readonly source: string
  /** Not inserted when a snapshot of this age exists. */
  readonly notWithinMinutes: number
}

/** Stale after a day, unusable after three. */
export function insertFxSnapshot(snapshot: NewFxSnapshot): Statement<{ fx_snapshot_id: string }> {
  return sql<{ fx_snapshot_id: string }>`
    insert into sandbox.pricing_fx_snapshot
      (fx_snapshot_id, base, rates, source, taken_at, stale_after, hard_expire_at)
    select ${snapshot.id}::uuid, ${snapshot.base}, ${JSON.stringify(snapshot.rates)}::jsonb,
      ${snapshot.source}, t.at, t.at + interval '24 hours', t.at + interval '72 hours'
    from date_trunc('milliseconds', now()) as t (at)
    where not exists (
      select from sandbox.pricing_fx_snapshot
      where taken_at > t.at - make_interval(mins => ${snapshot.notWithinMinutes}::int))
    on conflict (taken_at) do nothing
    returning fx_snapshot_id`
}

/** Quotes contain the snapshot they used, so old ones are never read again. */
export function pruneFxSnapshots(days: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with gone as (
      delete from sandbox.pricing_fx_snapshot
      where taken_at < now() - make_interval(days => ${days}::int) returning 1)
    select count(*)::int as pruned from gone`
}
