import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'

type Pruned = Statement<{ pruned: number }>

/** What devices reported about their offline queues: informational, for seven days. */
export function pruneQueueHints(days: number, limit: number): Pruned {
  return counted(sql`
    delete from offline_action_queue_hints where ctid in (
      select ctid from offline_action_queue_hints
      where reported_at < now() - make_interval(days => ${days}) order by reported_at limit ${limit})`)
}

/** Verdicts on offline intents: devices ask again for days. */
export function pruneVerdicts(days: number, limit: number): Pruned {
  return counted(sql`
    delete from offline_intent_verdict where ctid in (
      select ctid from offline_intent_verdict
      where received_at < now() - make_interval(days => ${days}) order by received_at limit ${limit})`)
}

const counted = (deletion: SqlFragment): Pruned =>
  sql<{ pruned: number }>`
    with gone as (${deletion} returning 1) select count(*)::int as pruned from gone`

/** Moves published events to the archive: a crash leaves every event in one of the tables. */
export function archiveEvents(days: number, limit: number): Pruned {
  return sql<{ pruned: number }>`
    with old as (
      select event_id from outbox_published
      where published_at < now() - make_interval(days => ${days}::int)
      order by published_at limit ${limit}::int),
    taken as (
      delete from outbox_published p using old where p.event_id = old.event_id returning p.*),
    kept as (insert into outbox_archive select * from taken on conflict (event_id) do nothing)
    select count(*)::int as pruned from taken`
}

export function pruneArchive(days: number, limit: number): Pruned {
  return counted(sql`
    delete from outbox_archive where event_id in (
      select event_id from outbox_archive
      where published_at < now() - make_interval(days => ${days}) order by published_at limit ${limit})`)
}
