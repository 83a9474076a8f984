import { type Statement, sql } from '../../db/index.ts'

/** Messages that were neither handled nor given up are kept: somebody must look at them. */
export function pruneInbox(keepDays: number, limit: number): Statement<{ gone: number }> {
  return sql<{ gone: number }>`
    with gone as (
      delete from inbox
      where message_id in (
        select message_id from inbox
        where received_at < now() - make_interval(days => ${keepDays}::int)
          and (processed_at is not null or dead)
        limit ${limit}::int
      )
      returning 1
    )
    select count(*)::int as gone from gone`
}
