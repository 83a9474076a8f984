import { type Statement, sql } from '../../db/index.ts'

/** Messages that were neither handled nor given up are kept: somebody must look at them. */
export function pruneInbox(keepDays: number, limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select message_id from inbox
      where received_at < now() - make_interval(days => ${keepDays}::int)
        and (processed_at is not null or dead)
      order by received_at limit ${limit}::int
    ), gone as (
      delete from inbox i using old where i.message_id = old.message_id returning 1
    )
    select count(*)::int as pruned from gone`
}
