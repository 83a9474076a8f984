import { type Statement, sql } from '../db/index.ts'

/** A shard whose lease is ours now, as it was when the batch was read. */
export interface ShardCursor {
  shard: number
  fence: number
  version: number
  leaseLeftMs: number
  /** A backlog is being published: the batch has rows of its snapshot only. */
  inSpan: boolean
  /** What the statement saw, and a seq that none of it exceeds. */
  snapshot: string
  lastSeq: number
  readAt: string
}

export interface OutboxRow {
  source: 'log' | 'outbox'
  seq: number
  shard: number
  eventId: string
  subject: string
  orderingKey: string
  tenantId: string | null
  traceparent: string | null
  /** What it was checked against when it was written. */
  contract: string | null
  envelope: string
  payload: string
  /** How long it has waited. */
  ageMs: number
  /** A row of the log whose key has rows in `outbox`, which come first. */
  isBehind: boolean
}

export type BatchLine = { cursor: ShardCursor } | ({ cursor: null } & OutboxRow)

export interface ReadBatch {
  owner: string
  shards: readonly number[]
  batchSize: number
}

/**
 * The cursors of the shards whose lease is ours now, and their first unpublished rows. Rows of the
 * log are found by comparing transactions with the snapshot of the cursor, never by "seq above the
 * last one": a slow transaction commits a smaller seq later (OBX-18), and no open transaction holds
 * up the others. Whatever a transaction could see is in an earlier snapshot or has a smaller seq,
 * so that the order of a key is that of seq within a snapshot.
 *
 * More than a batch is a span: its snapshot is retained, and its rows are read in the order of seq.
 * Rows of `outbox` are found by their state; a key with a row in back-off holds all its rows. Those
 * that an earlier version wrote must not overtake the log, so that a span must have passed them.
 *
 * JSON comes as text, since it only passes through. The shards are served in the given order.
 *
 * @NOTE The inner limit is a subquery on purpose: with a limit it cannot see, the planner walks the
 * index in order also when its statistics are from a time when the table was nearly empty. With a
 * plain limit it then sorts the whole backlog for each batch, which is twenty times slower. Where
 * rows are found by transaction it must not do that: it would walk over everything published so far
 * to save a sort. Hence `seq + 0`, which no index has, and `offset 0`, which prevents other joins.
 */
export function readBatch({ owner, shards, batchSize }: ReadBatch): Statement<BatchLine> {
  return sql<BatchLine>`
    with cursor as materialized (
      select c.*
      from unnest(${shards}::smallint[]) with ordinality as s (shard, turn)
      join outbox_cursor c on c.shard = s.shard and c.owner = ${owner} and c.lease_until > now()
      order by s.turn
    ), held as materialized (
      select ordering_key, bool_or(status = 'retrying' and next_attempt_at > now()) as is_waiting
      from outbox
      where status in ('pending', 'retrying') and shard = any(${shards}::smallint[])
      group by ordering_key
    ), batch as (
      select r.* from cursor c cross join lateral (
        select * from (
          (${logColumns} from outbox_log o
           where o.shard = c.shard and c.span is null and o.xid >= pg_snapshot_xmax(c.done)
           order by o.seq + 0 limit (select ${batchSize}::int))
          union all
          (${logColumns} from pg_snapshot_xip(c.done) as open (xid)
           cross join lateral (
             select * from outbox_log o where o.shard = c.shard and o.xid = open.xid offset 0
           ) o
           where c.span is null
           order by o.seq + 0 limit (select ${batchSize}::int))
          union all
          (${logColumns} from outbox_log o
           where o.shard = c.shard and c.span is not null
             and o.seq > c.position and o.seq <= c.span_end
             and pg_visible_in_snapshot(o.xid, c.span) and not pg_visible_in_snapshot(o.xid, c.done)
           order by o.seq limit (select ${batchSize}::int))
          union all
          (select 'outbox', o.seq, o.shard, o.event_id, o.subject, o.ordering_key, o.contract,
             o.envelope, o.payload, o.enqueued_at
           from outbox o
           where o.shard = c.shard and o.status in ('pending', 'retrying')
             and (c.span is null or o.seq <= c.position)
             and o.ordering_key not in (select ordering_key from held where is_waiting)
           order by o.seq limit (select ${batchSize}::int))
        ) as found
        order by seq limit (select ${batchSize}::int)
      ) r
      limit ${batchSize}
    )
    select json_build_object('shard', shard, 'fence', fence, 'version', version,
        'leaseLeftMs', (extract(epoch from lease_until - now()) * 1000)::int,
        'inSpan', span is not null, 'snapshot', pg_current_snapshot(),
        'lastSeq', (select last_value from outbox_seq_seq),
        'readAt', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as "cursor",
      null as "source", null as "seq", null as "shard", null as "eventId", null as "subject",
      null as "orderingKey", null as "tenantId", null as "traceparent", null as "contract",
      null as "envelope", null as "payload", null as "ageMs", null as "isBehind"
    from cursor
    union all
    select null, source, seq, shard, event_id, subject, ordering_key, envelope ->> 'tenantId',
      envelope ->> 'traceId', contract, envelope::text, payload::text,
      (extract(epoch from now() - enqueued_at) * 1000)::float8,
      source = 'log' and ordering_key in (select ordering_key from held)
    from batch`
}

const logColumns = sql`
  select 'log' as source, o.seq, o.shard, o.event_id, o.subject, o.ordering_key, o.contract,
    o.envelope, o.payload, o.enqueued_at`

/** When the next retry of the shards is due. */
export function nextRetry(shards: readonly number[]): Statement<{ dueInMs: number | null }> {
  return sql<{ dueInMs: number | null }>`
    select (extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 as "dueInMs"
    from outbox where status = 'retrying' and shard = any(${shards}::smallint[])`
}
