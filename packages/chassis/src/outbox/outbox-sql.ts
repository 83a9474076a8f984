import { idToUuid } from '@melmastoon/domain'
import { checkedContract, type OutboxEvent } from '@melmastoon/events'
import { type SqlFragment, type Statement, sql } from '../db/index.ts'

/** Relays wait for it. */
export const OUTBOX_TOPIC = 'outbox'

export interface AppendCondition {
  /** Events are written only if this is true: ``sql`exists (select from claimed)` ``. */
  onlyIf?: SqlFragment
}

/**
 * The same insert inside one statement, as in ``sql`with effect as (…), events as (${this}) …` ``.
 * One JSON array is one parameter, however many events there are (performance D).
 */
export function appendEventsFragment(
  events: readonly OutboxEvent[],
  { onlyIf = sql`true` }: AppendCondition = {},
): SqlFragment {
  return sql`
    insert into outbox (event_id, tenant_id, subject, payload, envelope, occurred_at, ordering_key,
      contract)
    select e.event_id, e.tenant_id, e.subject, e.payload, e.envelope, e.occurred_at, e.ordering_key,
      e.contract
    from json_to_recordset(${JSON.stringify(events.map(toRecord))}::json) as e (event_id text,
      tenant_id uuid, subject text, payload jsonb, envelope jsonb, occurred_at timestamptz,
      ordering_key text, contract text)
    where ${onlyIf}`.announcing(OUTBOX_TOPIC)
}

/** The constraint is not named, which would need the right to read the table. */
export function insertEventsOnce(events: readonly OutboxEvent[]): SqlFragment {
  return sql`${appendEventsFragment(events)} on conflict do nothing`
}

function toRecord(event: OutboxEvent) {
  return {
    event_id: event.eventId,
    tenant_id: event.tenantId === null ? null : idToUuid(event.tenantId),
    subject: event.subject,
    payload: event.payload,
    envelope: event.envelope,
    occurred_at: event.occurredAt,
    ordering_key: event.orderingKey,
    contract: checkedContract(event),
  }
}

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

/** Without the payload, because operators may copy the output into a ticket. */
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

/** Dead letters that no operator has replayed for the given time. */
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

export function databaseNow(): Statement<{ now: Date }> {
  return sql<{ now: Date }>`select now() as "now"`
}
