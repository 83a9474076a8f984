import { type Statement, sql } from '../../db/index.ts'
import { heldLeases, type LeaseProof } from './held-leases.ts'

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
