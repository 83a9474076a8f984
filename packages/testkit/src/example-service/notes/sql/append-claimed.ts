import { type SqlFragment, sql } from '@melmastoon/chassis/db'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import type { OutboxEvent } from '@melmastoon/events'

/** Part of one statement: the events exist only if the claim of the same statement was won. */
export function appendClaimed(events: readonly OutboxEvent[]): SqlFragment {
  return appendEventsFragment(events, { onlyIf: sql`exists (select from claimed)` })
}
