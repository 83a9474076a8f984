import { type SqlFragment, type Statement, sql } from '../db/index.ts'
import type { ShardCursor } from './read-batch-sql.ts'
import { type MarkFailedRow, nextAttempt, type RetryPolicy } from './relay-sql.ts'

/** How far a batch has come in a shard. */
export interface ShardAdvance {
  cursor: ShardCursor
  /** All that the snapshot of the batch, or the span, contains. */
  isComplete: boolean
  /** Otherwise up to this seq. */
  position: number
}

/** A row of the log that is not published: it was rejected, or waits behind another one. */
export interface SetAside {
  eventId: string
  shard: number
  /** Null for a row that waits. */
  error: string | null
  fatal: boolean
}

export interface AdvanceCursors {
  owner: string
  /** False only in negative controls. */
  fenced: boolean
  advances: readonly ShardAdvance[]
  setAside: readonly SetAside[]
  policy: RetryPolicy
}

export interface Advanced {
  shards: number[]
  setAside: MarkFailedRow[]
}

/**
 * Settles rows of the log: one update of a small row per shard, however many they are. The cursor
 * passes rows that were not published only in the statement that copies them to `outbox`.
 */
export function advanceCursors(input: AdvanceCursors): Statement<Advanced> {
  const { snapshot = '', lastSeq = 0 } = input.advances[0]?.cursor ?? {}
  return sql<Advanced>`
    with mine as (${ownCursors(input)}), advanced as (
      update outbox_cursor c
      set version = c.version + 1, advanced_at = now(),
        done = case when m.is_complete then coalesce(c.span, ${snapshot}::pg_snapshot)
          else c.done end,
        span = case when not m.is_complete then coalesce(c.span, ${snapshot}::pg_snapshot) end,
        position = m.position,
        span_end = case when c.span is null then ${lastSeq}::bigint else c.span_end end
      from mine m
      where c.shard = m.shard
      returning c.shard, c.done, c.span, c.position
    ), recorded as (
      insert into outbox_progress (shard, done, span, position)
      select a.shard, a.done, a.span, a.position from advanced a
      where not exists (
        select from outbox_progress p
        where p.shard = a.shard and p.at > now() - interval '10 seconds')
      on conflict do nothing
    )${input.setAside.length > 0 ? copying(input) : sql``}
    select coalesce((select json_agg(shard) from advanced), '[]') as "shards",
      ${input.setAside.length > 0 ? COPIED : sql`'[]'::json`} as "setAside"`
}

/** Compare and set: by owner and fence against other relays, by version against a late result. */
function ownCursors({ owner, fenced, advances }: AdvanceCursors): SqlFragment {
  const column = <T>(read: (advance: ShardAdvance) => T) => advances.map(read)
  return sql`
    select c.shard, v.is_complete, v.position
    from outbox_cursor c
    join unnest(${column(({ cursor }) => cursor.shard)}::smallint[],
        ${column(({ cursor }) => cursor.fence)}::bigint[],
        ${column(({ cursor }) => cursor.version)}::bigint[],
        ${column(({ isComplete }) => isComplete)}::boolean[],
        ${column(({ position }) => position)}::bigint[])
      as v (shard, fence, version, is_complete, position) on v.shard = c.shard
    where ${!fenced}::boolean
      or (c.owner = ${owner} and c.fence = v.fence and c.version = v.version)
    order by c.shard
    for update of c`
}

/** Rows retain their seq, and with it their position in the order of their key. */
function copying({ setAside, policy }: AdvanceCursors): SqlFragment {
  return sql`, copied as (
      insert into outbox (seq, event_id, tenant_id, subject, payload, envelope, occurred_at,
        enqueued_at, ordering_key, contract, attempts, last_error, dlq, status, next_attempt_at)
      overriding system value
      select l.seq, l.event_id, l.tenant_id, l.subject, l.payload, l.envelope, l.occurred_at,
        l.enqueued_at, l.ordering_key, l.contract, (r.error is not null)::int, r.error, r.is_dead,
        case when r.is_dead then 'dead' when r.error is null then 'pending' else 'retrying' end,
        case when r.error is null then now() else ${nextAttempt(policy, sql`0`)} end
      from unnest(${setAside.map((row) => row.eventId)}::text[],
          ${setAside.map((row) => row.shard)}::smallint[],
          ${setAside.map((row) => row.error)}::text[],
          ${setAside.map((row) => isDead(row, policy))}::boolean[])
        as r (event_id, shard, error, is_dead)
      join mine on mine.shard = r.shard
      join outbox_log l on l.event_id = r.event_id
      on conflict (event_id) do nothing
      returning event_id, subject, status
    )`
}

const COPIED = sql`coalesce((select json_agg(json_build_object('eventId', event_id,
  'subject', subject, 'status', status)) from copied), '[]')`

function isDead({ error, fatal }: SetAside, { maxAttempts }: RetryPolicy): boolean {
  return error !== null && (fatal || maxAttempts <= 1)
}
