import { type Statement, sql } from '../../db/index.ts'

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
        o.envelope::text as "envelope", o.payload::text as "payload"
      from outbox o
      where o.shard = l.shard and o.status in ('pending', 'retrying')
        and o.ordering_key not in (select ordering_key from waiting)
      order by o.seq
      limit (select ${batchSize}::int)
    ) r
    limit ${batchSize}`
}
