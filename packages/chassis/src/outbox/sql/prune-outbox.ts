import { type Statement, sql } from '../../db/index.ts'

/** One bounded bite, so that no statement runs long; the caller repeats until nothing is left. */
export function prunePublished(
  olderThanDays: number,
  limit: number,
): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select id from outbox_published
      where published_at < now() - make_interval(days => ${olderThanDays})
      order by published_at limit ${limit}
    ), gone as (
      delete from outbox_published p using old where p.id = old.id returning 1
    )
    select count(*)::int as "pruned" from gone`
}
