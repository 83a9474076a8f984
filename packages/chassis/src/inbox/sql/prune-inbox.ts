import { type Statement, sql } from '../../db/index.ts'

export function pruneProcessed(
  olderThanDays: number,
  limit: number,
): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select message_id from inbox
      where processed_at < now() - make_interval(days => ${olderThanDays})
      limit ${limit}
    ), gone as (
      delete from inbox i using old where i.message_id = old.message_id returning 1
    )
    select count(*)::int as "pruned" from gone`
}
