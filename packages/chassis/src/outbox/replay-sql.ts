import { type SqlFragment, type Statement, sql } from '../db/index.ts'
import { OUTBOX_TOPIC } from './outbox-sql.ts'

/**
 * A dead row becomes pending again; a published one is moved back. The event retains its id, so
 * consumers that processed it do nothing; it is published after what its key has now.
 */
export function reviveDead(eventId: string): Statement<{ eventId: string }> {
  return sql<{ eventId: string }>`
    update outbox
    set status = 'pending', dlq = false, attempts = 0, next_attempt_at = now()
    where event_id = ${eventId} and status = 'dead'
    returning event_id as "eventId"`.announcing(OUTBOX_TOPIC)
}

export function reopenPublished(eventId: string): Statement<{ eventId: string }> {
  return sql<{ eventId: string }>`
    with taken as (delete from outbox_published where event_id = ${eventId} returning *)
    insert into outbox (event_id, tenant_id, subject, payload, envelope, occurred_at, ordering_key)
    select event_id, tenant_id, subject, payload,
      jsonb_set(envelope, '{publishedAt}', 'null'::jsonb), occurred_at, ordering_key
    from taken
    returning event_id as "eventId"`.announcing(OUTBOX_TOPIC)
}

/** The same for an event of the log, which stays there. */
export function reopenLogged(eventId: string): Statement<{ eventId: string }> {
  return sql<{ eventId: string }>`
    insert into outbox (event_id, tenant_id, subject, payload, envelope, occurred_at, ordering_key)
    select l.event_id, l.tenant_id, l.subject, l.payload, l.envelope, l.occurred_at, l.ordering_key
    from outbox_log l join outbox_cursor c on c.shard = l.shard
    where l.event_id = ${eventId}
      and is_published(l.xid, l.seq, c.done, c.span, c.position)
    on conflict (event_id) do nothing
    returning event_id as "eventId"`.announcing(OUTBOX_TOPIC)
}

/**
 * All events of a period, for a bus that lost its data. They retain their seq, so that they are
 * published before what their key has now: the bus no longer has them.
 */
export function reopenPublishedBetween(
  { since, until }: { since: Date; until: Date },
  limit: number,
): Statement<{ taken: number }> {
  return sql<{ taken: number }>`
    with chosen as (
      select event_id from outbox_published
      where published_at >= ${since} and published_at < ${until}
      order by seq limit ${limit}
    ), taken as (
      delete from outbox_published p using chosen where p.event_id = chosen.event_id
      returning p.*
    ), reopened as (
      insert into outbox (seq, event_id, tenant_id, subject, payload, envelope, occurred_at,
        ordering_key)
      overriding system value
      select coalesce(seq, 0), event_id, tenant_id, subject, payload,
        jsonb_set(envelope, '{publishedAt}', 'null'::jsonb), occurred_at, ordering_key
      from taken
      on conflict (event_id) do nothing
    )
    select count(*)::int as "taken" from taken`.announcing(OUTBOX_TOPIC)
}

export interface LoggedSpan {
  since: Date
  /** Rows of the log in (afterSeq, untilSeq]. */
  afterSeq: number
  untilSeq: number
}

export interface ReopenedBatch {
  taken: number
  read: number
  lastSeq: number | null
}

/** The same for rows of the log that the cursors have passed since that time, or shortly before. */
export function reopenLoggedSince(span: LoggedSpan, limit: number): Statement<ReopenedBatch> {
  return sql<ReopenedBatch>`
    with before as (
      select c.shard, coalesce(p.done, '1:1:') as done, p.span, coalesce(p.position, 0) as position
      from outbox_cursor c
      left join lateral (
        select * from outbox_progress p
        where p.shard = c.shard and p.at <= ${span.since} order by p.at desc limit 1
      ) p on true
    ), chosen as (
      select l.*
      from before b
      join outbox_cursor c on c.shard = b.shard
      cross join lateral (${logSince()}) l
      where l.seq > ${span.afterSeq} and l.seq <= ${span.untilSeq}
        and not is_published(l.xid, l.seq, b.done, b.span, b.position)
        and is_published(l.xid, l.seq, c.done, c.span, c.position)
      order by l.seq limit ${limit}
    ), reopened as (
      insert into outbox (seq, event_id, tenant_id, subject, payload, envelope, occurred_at,
        ordering_key)
      overriding system value
      select seq, event_id, tenant_id, subject, payload, envelope, occurred_at, ordering_key
      from chosen
      on conflict (event_id) do nothing
      returning 1
    )
    select (select count(*)::int from reopened) as "taken", count(*)::int as "read",
      max(seq) as "lastSeq"
    from chosen`.announcing(OUTBOX_TOPIC)
}

function logSince(): SqlFragment {
  return sql`
    select o.* from outbox_log o where o.shard = b.shard and o.xid >= pg_snapshot_xmax(b.done)
    union all
    select o.* from pg_snapshot_xip(b.done) as open (xid)
    cross join lateral (
      select * from outbox_log o where o.shard = b.shard and o.xid = open.xid offset 0
    ) o
    offset 0`
}

export interface Moment {
  now: Date
  lastSeq: number
}

export function databaseNow(): Statement<Moment> {
  return sql<Moment>`
    select now() as "now", (select last_value from outbox_seq_seq) as "lastSeq"`
}
