import { idToUuid } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import { type Queryable, type SqlFragment, sql } from '../db/index.ts'

/** Writes events in the caller's transaction, in order: they exist if its effect does (P4). */
export async function appendEvents(tx: Queryable, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx.query(appendEventsFragment(events))
}

/** For events without a transaction, whose first insert may have lost only its answer. */
export async function appendEventsOnce(
  db: Queryable,
  events: readonly OutboxEvent[],
): Promise<void> {
  await db.query(insertEventsOnce(events))
}

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
    insert into outbox (event_id, tenant_id, subject, payload, envelope, occurred_at, ordering_key)
    select e.event_id, e.tenant_id, e.subject, e.payload, e.envelope, e.occurred_at, e.ordering_key
    from json_to_recordset(${JSON.stringify(events.map(toRecord))}::json) as e (event_id text,
      tenant_id uuid, subject text, payload jsonb, envelope jsonb, occurred_at timestamptz,
      ordering_key text)
    where ${onlyIf}`
}

/** The constraint is not named, which would need the right to read the table. */
function insertEventsOnce(events: readonly OutboxEvent[]): SqlFragment {
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
  }
}
