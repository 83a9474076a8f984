import { type SqlFragment, type Statement, sql } from '../db/index.ts'

/**
 * Expressions of a `with` that delete the published events of before a time, at most `limit`, and
 * list them as `removed` in the form of `outbox_published`. A row of the log goes when the cursor
 * had passed it by then, unless it was set aside and is still in `outbox`; its id excludes younger
 * rows without reading them.
 */
export function removeOldEvents(
  retentionDays: number,
  limit: number,
  log: SqlFragment = sql`outbox_log`,
): SqlFragment {
  return sql`
    limits as (
      select now() - make_interval(days => ${retentionDays}::int) as until
    ), passed as materialized (
      select distinct on (shard) * from outbox_progress
      where at < (select until from limits) order by shard, at desc
    ), forgotten as (
      delete from outbox_progress p using passed where p.shard = passed.shard and p.at < passed.at
    ), old_rows as (
      select event_id from outbox_published
      where published_at < (select until from limits) order by published_at limit ${limit}::int
    ), removed_rows as (
      delete from outbox_published p using old_rows o where p.event_id = o.event_id returning p.*
    ), old_log as (
      select l.event_id, passed.at
      from ${log} l join passed on passed.shard = l.shard
      where l.event_id < outbox_id_floor((select until from limits))
        and is_published(l.xid, l.seq, passed.done, passed.span, passed.position)
        and not exists (select from outbox o where o.event_id = l.event_id)
      order by l.event_id
      limit ${limit}::int - (select count(*) from old_rows)
    ), removed_log as (
      delete from ${log} l using old_log o where l.event_id = o.event_id
      returning l.*, o.at
    ), removed as (
      select event_id, id, tenant_id, subject, payload, envelope, occurred_at, enqueued_at,
        published_at, attempts, next_attempt_at, status, dlq, last_error, seq, ordering_key
      from removed_rows
      union all
      select event_id, gen_random_uuid(), tenant_id, subject, payload, envelope, occurred_at,
        enqueued_at, at, 0, null, 'published', false, null, seq, ordering_key
      from removed_log
    )`
}

/** Published events, in batches, so that no statement runs long; whole days are dropped. */
export function pruneOutbox(retentionDays: number, limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with ${removeOldEvents(retentionDays, limit, sql`outbox_log_default`)}
    select count(*)::int as pruned from removed`
}

/** Makes one partition at most. Null drops empty ones only, for services that archive rows. */
export function keepPartitions(
  daysAhead: number,
  retentionDays: number | null,
): Statement<{ made: number; dropped: number }> {
  return sql<{ made: number; dropped: number }>`
    select made, dropped from keep_outbox_partitions(${daysAhead}::int, ${retentionDays}::int)`
}

/** Makes one index of a past day, which takes about a second per million events. */
export function indexPastDay(): Statement<{ made: number }> {
  return sql<{ made: number }>`select index_outbox_day() as made`
}

/** In a transaction. Beyond this the caller no longer waits. */
export function allowLongStatement(): Statement<unknown> {
  return sql`set local statement_timeout = '9s'`
}
