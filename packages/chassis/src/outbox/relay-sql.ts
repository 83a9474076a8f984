import { type SqlFragment, type Statement, sql } from '../db/index.ts'

export interface OutboxRow {
  seq: number
  shard: number
  fence: number
  leaseLeftMs: number
  eventId: string
  subject: string
  orderingKey: string
  tenantId: string | null
  traceparent: string | null
  /** What it was checked against when it was written. */
  contract: string | null
  envelope: string
  payload: string
  readAt: string
}

export interface ReadBatch {
  owner: string
  shards: readonly number[]
  batchSize: number
}

/**
 * The first unpublished rows of each shard whose lease is ours now. Rows are found by their state,
 * never by "seq above the last one": a slow transaction commits a smaller seq later (OBX-18). A key
 * with a row in back-off holds all its rows. JSON comes as text, since it only passes through. The
 * shards are served in the given order, and each alone is in the order of seq.
 *
 * @NOTE The inner limit is a subquery on purpose: with a limit it cannot see, the planner walks the
 * index in order also when its statistics are from a time when the table was nearly empty. With a
 * plain limit it then sorts the whole backlog for each batch, which is twenty times slower.
 */
export function readBatch({ owner, shards, batchSize }: ReadBatch): Statement<OutboxRow> {
  return sql<OutboxRow>`
    with waiting as materialized (
      select ordering_key from outbox
      where status = 'retrying' and next_attempt_at > now()
    )
    select r.*, l.shard, l.fence,
      (extract(epoch from l.lease_until - now()) * 1000)::int as "leaseLeftMs",
      to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "readAt"
    from unnest(${shards}::smallint[]) with ordinality as s (shard, position)
    join outbox_lease l on l.shard = s.shard and l.owner = ${owner} and l.lease_until > now()
    cross join lateral (
      select o.seq, o.event_id as "eventId", o.subject, o.ordering_key as "orderingKey",
        o.envelope ->> 'tenantId' as "tenantId", o.envelope ->> 'traceId' as "traceparent",
        o.contract, o.envelope::text as "envelope", o.payload::text as "payload"
      from outbox o
      where o.shard = l.shard and o.status in ('pending', 'retrying')
        and o.ordering_key not in (select ordering_key from waiting)
      order by o.seq
      limit (select ${batchSize}::int)
    ) r
    limit ${batchSize}`
}

/** When the next retry of the shards is due. */
export function nextRetry(shards: readonly number[]): Statement<{ dueInMs: number | null }> {
  return sql<{ dueInMs: number | null }>`
    select (extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 as "dueInMs"
    from outbox where status = 'retrying' and shard = any(${shards}::smallint[])`
}

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
    from outbox_lease l
    join unnest(${shards}::smallint[], ${fences}::bigint[]) as f (shard, fence)
      on f.shard = l.shard and f.fence = l.fence
    where l.owner = ${owner}
    for share of l`
}

export interface SettledRow {
  shard: number
  seq: number
}

export interface MarkPublishedRow {
  moved: number
  lagSeconds: number
}

/** Published rows leave the hot table in the statement that records them (performance D). */
export function markPublished(
  proof: LeaseProof,
  rows: readonly SettledRow[],
  publishedAt: string,
): Statement<MarkPublishedRow> {
  const shards = rows.map((row) => row.shard)
  const seqs = rows.map((row) => row.seq)
  return sql<MarkPublishedRow>`
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
    select count(*)::int as "moved",
      coalesce(extract(epoch from now() - min(enqueued_at)), 0)::float8 as "lagSeconds"
    from moved`
}

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

/** Full jitter with a doubling ceiling, by the database's clock and random numbers (OBX-15). */
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
      next_attempt_at = now() + interval '1 millisecond' * random()
        * least(${policy.backoffMaxMs}::float8, ${policy.backoffMinMs}::float8 * 2 ^ o.attempts)
    from assessed v
    where o.shard = v.shard and o.seq = v.seq and o.status in ('pending', 'retrying')
    returning o.event_id as "eventId", o.subject, o.status`
}
