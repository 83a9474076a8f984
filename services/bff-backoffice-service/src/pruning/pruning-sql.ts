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
