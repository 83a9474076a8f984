import { type Statement, sql } from '@melmastoon/chassis/db'

const RETENTION_DAYS = 30

/** Under the role of jobs, which may delete rows of every tenant. */
export function pruneSnapshots(limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select id from booking_draft_snapshots
      where finalized_at < now() - make_interval(days => ${RETENTION_DAYS}::int)
      order by finalized_at limit ${limit}::int for update skip locked),
    gone as (
      delete from booking_draft_snapshots s using old where s.id = old.id returning 1)
    select count(*)::int as pruned from gone`
}

/** Long after a handoff of 30 minutes could be presented again. */
export function pruneArrivals(limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select id from handoff_arrival_log
      where received_at < now() - make_interval(days => ${RETENTION_DAYS}::int)
      order by received_at limit ${limit}::int for update skip locked),
    gone as (
      delete from handoff_arrival_log a using old where a.id = old.id returning 1)
    select count(*)::int as pruned from gone`
}
