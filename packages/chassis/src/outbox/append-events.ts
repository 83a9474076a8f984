import type { OutboxEvent } from '@melmastoon/events'
import type { Queryable } from '../db/index.ts'
import { appendEventsFragment } from './sql/insert-events.ts'

/** Writes events in the caller's transaction, in the given order: they exist if its effect does (P4). */
export async function appendEvents(tx: Queryable, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx.query(appendEventsFragment(events))
}
