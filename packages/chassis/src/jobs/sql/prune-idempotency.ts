import { type Statement, sql } from '../../db/index.ts'

/** A row whose request is still running keeps its place, however old it is. */
export function pruneIdempotency(limit: number): Statement<{ gone: number }> {
  return sql<{ gone: number }>`
    with gone as (
      delete from idempotency
      where ctid = any(array(
        select ctid from idempotency
        where expires_at < now() and (state = 'completed' or lease_until < now())
        order by expires_at
        limit ${limit}::int
      ))
      and expires_at < now() and (state = 'completed' or lease_until < now())
      returning 1
    )
    select count(*)::int as gone from gone`
}
