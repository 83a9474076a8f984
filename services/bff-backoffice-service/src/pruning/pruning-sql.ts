import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { removeOldEvents } from '@melmastoon/chassis/outbox'

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
    with ${removeOldEvents(days, limit)}, kept as (
      insert into outbox_archive (event_id, id, tenant_id, subject, payload, envelope, occurred_at,
        enqueued_at, published_at, attempts, next_attempt_at, status, dlq, last_error, seq,
        ordering_key)
      select event_id, id, tenant_id, subject, payload, envelope, occurred_at, enqueued_at,
        published_at, attempts, next_attempt_at, status, dlq, last_error, seq, ordering_key
      from removed
      on conflict (event_id) do nothing)
    select count(*)::int as pruned from removed`
}

export function pruneArchive(days: number, limit: number): Pruned {
  return counted(sql`
    delete from outbox_archive where event_id in (
      select event_id from outbox_archive
      where published_at < now() - make_interval(days => ${days}) order by published_at limit ${limit})`)
}
