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

/**
 * Ended drafts with their guest details, payments and records, as long after their end as their
 * snapshots. One whose money is still being returned stays.
 */
export function pruneDrafts(limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select d.tenant_id, d.id from booking_draft d
      where d.finalized_at < now() - make_interval(days => ${RETENTION_DAYS}::int)
        and not exists (select from booking_fulfilment f where f.tenant_id = d.tenant_id
          and f.draft_id = d.id and f.next_at is not null)
      order by d.finalized_at limit ${limit}::int),
    attempts as (
      delete from booking_payment_attempt a using old
      where a.tenant_id = old.tenant_id and a.draft_id = old.id),
    records as (
      delete from booking_fulfilment f using old
      where f.tenant_id = old.tenant_id and f.draft_id = old.id),
    gone as (
      delete from booking_draft d using old
      where d.tenant_id = old.tenant_id and d.id = old.id returning 1)
    select count(*)::int as pruned from gone`
}
