import { type Statement, sql } from '@melmastoon/chassis/db'

/** An hour after its end a token is refused for its age by whoever is shown it. */
export function pruneHandoffs(limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select handoff_id from handoff_replay_log
      where expires_at < now() - interval '1 hour'
      order by expires_at limit ${limit}::int
    ), gone as (
      delete from handoff_replay_log h using old where h.handoff_id = old.handoff_id returning 1
    )
    select count(*)::int as pruned from gone`
}
