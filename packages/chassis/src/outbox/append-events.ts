import type { OutboxEvent } from '@melmastoon/events'
import type { Queryable } from '../db/index.ts'
import { appendEventsFragment, insertEventsOnce } from './outbox-sql.ts'

/** Writes events in the caller's transaction, in order: they exist if its effect does (P4). */
export async function appendEvents(tx: Queryable, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx.query(appendEventsFragment(events))
}

/** For events without a transaction, whose first insert may have lost only its response. */
export async function appendEventsOnce(
  db: Queryable,
  events: readonly OutboxEvent[],
): Promise<void> {
  await db.query(insertEventsOnce(events))
}
