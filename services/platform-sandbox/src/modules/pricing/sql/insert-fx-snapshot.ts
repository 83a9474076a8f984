import { type Statement, sql } from '@melmastoon/chassis/db'

export function readHour(): Statement<{ hour: Date }> {
  return sql<{ hour: Date }>`select date_trunc('hour', now()) as hour`
}

export interface NewFxSnapshot {
  readonly id: string
  readonly base: string
  readonly rates: Readonly<Record<string, string>>
  readonly source: string
  /** A younger one makes this one unnecessary. */
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
