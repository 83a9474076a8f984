import type { OutboxEvent } from '@melmastoon/events'
import { type SqlFragment, sql } from '../../db/index.ts'
import { appendEventsFragment } from '../../outbox/index.ts'

const ONLY_IF_CLAIMED = sql`exists (select from claimed)`

/** A replay, or the loser of a race, must not publish: the events are gated like the effect. */
export function claimedEvents(events: readonly OutboxEvent[] = []): SqlFragment | null {
  return events.length === 0 ? null : appendEventsFragment(events, { onlyIf: ONLY_IF_CLAIMED })
}
