import { type Statement, sql } from '../../db/index.ts'
import { heldLeases, type LeaseProof } from './held-leases.ts'

export interface FailedRow {
  shard: number
  seq: number
  error: string
  /** No retry can help. */
  fatal: boolean
}

export interface RetryPolicy {
  maxAttempts: number
  backoffMinMs: number
  backoffMaxMs: number
}

export interface MarkFailedRow {
  eventId: string
  subject: string
  status: 'retrying' | 'dead'
}

/** Full jitter over a doubling ceiling, by the database's clock and dice (OBX-15). */
export function markFailed(
  proof: LeaseProof,
  rows: readonly FailedRow[],
  policy: RetryPolicy,
): Statement<MarkFailedRow> {
  const shards = rows.map((row) => row.shard)
  const seqs = rows.map((row) => row.seq)
  const errors = rows.map((row) => row.error)
  const fatal = rows.map((row) => row.fatal)
  return sql<MarkFailedRow>`
    with lease as (${heldLeases(proof)}), verdict as (
      select v.shard, v.seq, v.error, v.fatal or o.attempts + 1 >= ${policy.maxAttempts} as dead
      from unnest(${shards}::smallint[], ${seqs}::bigint[], ${errors}::text[], ${fatal}::boolean[])
        as v (shard, seq, error, fatal)
      join lease on lease.shard = v.shard
      join outbox o on o.shard = v.shard and o.seq = v.seq
    )
    update outbox o
    set attempts = o.attempts + 1, last_error = v.error, dlq = v.dead,
      status = case when v.dead then 'dead' else 'retrying' end,
      next_attempt_at = now() + interval '1 millisecond' * random()
        * least(${policy.backoffMaxMs}::float8, ${policy.backoffMinMs}::float8 * 2 ^ o.attempts)
    from verdict v
    where o.shard = v.shard and o.seq = v.seq and o.status in ('pending', 'retrying')
    returning o.event_id as "eventId", o.subject, o.status`
}
