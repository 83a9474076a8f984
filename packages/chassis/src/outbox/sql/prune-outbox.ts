import { type Statement, sql } from '../../db/index.ts'

/** One bounded bite, so that no statement runs long. Dead rows are not here: a person decides. */
export function pruneOutbox(keepDays: number, limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select event_id from outbox_published
      where published_at < now() - make_interval(days => ${keepDays}::int)
      order by published_at limit ${limit}::int
    ), gone as (
      delete from outbox_published p using old where p.event_id = old.event_id returning 1
    )
    select count(*)::int as pruned from gone`
}
