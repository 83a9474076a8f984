import { type SqlFragment, type Statement, sql } from '../db/index.ts'
import type { OutboxRow } from './read-batch-sql.ts'

export interface HeldLease {
  shard: number
  fence: number
}

export interface LeaseProof {
  owner: string
  leases: readonly HeldLease[]
  /** False only in negative controls; `createRelay` always checks the lease. */
  fenced: boolean
}

/**
 * The shards of `leases` that are still ours. The share lock makes it true until the statement
 * commits: taking a lease skips locked rows. Owner and fence decide, not the clock: an expired
 * lease that no other relay took can still be settled, and the fence changes with every holder.
 */
function heldLeases({ owner, leases, fenced }: LeaseProof): SqlFragment {
  const shards = leases.map((lease) => lease.shard)
  if (!fenced) return sql`select unnest(${shards}::smallint[]) as shard`
  const fences = leases.map((lease) => lease.fence)
  return sql`
    select l.shard
    from outbox_cursor l
    join unnest(${shards}::smallint[], ${fences}::bigint[]) as f (shard, fence)
      on f.shard = l.shard and f.fence = l.fence
    where l.owner = ${owner}
    order by l.shard
    for share of l`
}

/** Published rows leave `outbox` in the statement that records them (performance D). */
export function markPublished(
  proof: LeaseProof,
  rows: readonly OutboxRow[],
  publishedAt: string,
): Statement<{ moved: number }> {
  const shards = rows.map((row) => row.shard)
  const seqs = rows.map((row) => row.seq)
  return sql<{ moved: number }>`
    with lease as (${heldLeases(proof)}), moved as (
      delete from outbox o
      using unnest(${shards}::smallint[], ${seqs}::bigint[]) as r (shard, seq)
        join lease on lease.shard = r.shard
      where o.shard = r.shard and o.seq = r.seq and o.status in ('pending', 'retrying')
      returning o.*
    ), stored as (
      insert into outbox_published (id, event_id, tenant_id, subject, payload, envelope,
        occurred_at, enqueued_at, published_at, attempts, next_attempt_at, last_error, seq,
        ordering_key)
      select id, event_id, tenant_id, subject, payload,
        envelope || jsonb_build_object('publishedAt', ${publishedAt}::text), occurred_at,
        enqueued_at, ${publishedAt}::timestamptz, attempts, next_attempt_at, last_error, seq,
        ordering_key
      from moved
      on conflict do nothing
    )
    select count(*)::int as "moved" from moved`
}

export interface FailedRow {
  row: OutboxRow
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
  status: 'pending' | 'retrying' | 'dead'
}

/** Full jitter with a doubling ceiling, by the database's clock and random numbers (OBX-15). */
export function nextAttempt(policy: RetryPolicy, attempts: SqlFragment): SqlFragment {
  return sql`now() + interval '1 millisecond' * random()
    * least(${policy.backoffMaxMs}::float8, ${policy.backoffMinMs}::float8 * 2 ^ ${attempts})`
}

export function markFailed(
  proof: LeaseProof,
  rows: readonly FailedRow[],
  policy: RetryPolicy,
): Statement<MarkFailedRow> {
  const shards = rows.map(({ row }) => row.shard)
  const seqs = rows.map(({ row }) => row.seq)
  const errors = rows.map((failed) => failed.error)
  const fatal = rows.map((failed) => failed.fatal)
  return sql<MarkFailedRow>`
    with lease as (${heldLeases(proof)}), assessed as (
      select v.shard, v.seq, v.error, v.fatal or o.attempts + 1 >= ${policy.maxAttempts} as dead
      from unnest(${shards}::smallint[], ${seqs}::bigint[], ${errors}::text[], ${fatal}::boolean[])
        as v (shard, seq, error, fatal)
      join lease on lease.shard = v.shard
      join outbox o on o.shard = v.shard and o.seq = v.seq
    )
    update outbox o
    set attempts = o.attempts + 1, last_error = v.error, dlq = v.dead,
      status = case when v.dead then 'dead' else 'retrying' end,
      next_attempt_at = ${nextAttempt(policy, sql`o.attempts`)}
    from assessed v
    where o.shard = v.shard and o.seq = v.seq and o.status in ('pending', 'retrying')
    returning o.event_id as "eventId", o.subject, o.status`
}
