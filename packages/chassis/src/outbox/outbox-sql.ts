import { type Statement, sql } from '../db/index.ts'

export interface OutboxDepth {
  depth: number
  dead: number
  lagSeconds: number
}

export function outboxDepth(): Statement<OutboxDepth> {
  return sql<OutboxDepth>`
    select count(*) filter (where not dlq)::int as "depth",
      count(*) filter (where dlq)::int as "dead",
      coalesce(extract(epoch from now() - min(enqueued_at) filter (where not dlq)), 0)::float8
        as "lagSeconds"
    from outbox`
}

export interface DeadEvent {
  eventId: string
  subject: string
  attempts: number
  enqueuedAt: Date
  lastError: string | null
}

/** Without the payload: what an operator sees may be copied into a ticket. */
export function deadEvents(limit: number): Statement<DeadEvent> {
  return sql<DeadEvent>`
    select event_id as "eventId", subject, attempts, enqueued_at as "enqueuedAt",
      last_error as "lastError"
    from outbox where dlq order by seq limit ${limit}`
}

/** Published events, in batches, so that no statement runs long. */
export function pruneOutbox(retentionDays: number, limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select event_id from outbox_published
      where published_at < now() - make_interval(days => ${retentionDays}::int)
      order by published_at limit ${limit}::int
    ), gone as (
      delete from outbox_published p using old where p.event_id = old.event_id returning 1
    )
    select count(*)::int as pruned from gone`
}

/** Dead letters that no operator has replayed for so long. */
export function pruneDeadEvents(
  retentionDays: number,
  limit: number,
): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select id from outbox
      where dlq and enqueued_at < now() - make_interval(days => ${retentionDays}::int)
      order by enqueued_at limit ${limit}::int
    ), gone as (
      delete from outbox o using old where o.id = old.id and o.dlq returning 1
    )
    select count(*)::int as pruned from gone`
}
