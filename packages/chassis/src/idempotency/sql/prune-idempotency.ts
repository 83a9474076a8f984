import { type Statement, sql } from '../../db/index.ts'

/**
 * Removes what already counts as absent. The row locks are taken before deleting and skip rows a
 * claim is working on, so neither waits for the other and a claim is never deleted (IDEM-24).
 */
export function pruneIdempotency(limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with gone as (
      delete from idempotency where ctid = any (array(
        select ctid from idempotency
        where expires_at <= now() and (state = 'completed' or lease_until <= now())
        limit ${limit} for update skip locked))
      returning 1)
    select count(*)::int as pruned from gone`
}
