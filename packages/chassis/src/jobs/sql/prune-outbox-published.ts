import { type Statement, sql } from '../../db/index.ts'

export function pruneOutboxPublished(keepDays: number, limit: number): Statement<{ gone: number }> {
  return sql<{ gone: number }>`
    with gone as (
      delete from outbox_published
      where id in (
        select id from outbox_published
        where published_at < now() - make_interval(days => ${keepDays}::int)
        order by published_at
        limit ${limit}::int
      )
      returning 1
    )
    select count(*)::int as gone from gone`
}
