import type { Queryable } from '../db/index.ts'
import { databaseNow, reopenPublished, reopenPublishedBetween, reviveDead } from './outbox-sql.ts'

/** Publishes a dead or an already published event once more. False when there is no such event. */
export async function replayEvent(db: Queryable, eventId: string): Promise<boolean> {
  const revived = await db.query(reviveDead(eventId))
  if (revived.length > 0) return true
  return (await db.query(reopenPublished(eventId))).length > 0
}

const REPLAY_BATCH = 1_000

/** Replays all events published since `since`, for a bus that lost its data (D21). */
export async function replayPublishedSince(db: Queryable, since: Date): Promise<number> {
  const [moment] = await db.query(databaseNow())
  // Events that the relay publishes meanwhile are not replayed again.
  const span = { since, until: moment?.now ?? since }
  let count = 0
  for (;;) {
    const [batch] = await db.query(reopenPublishedBetween(span, REPLAY_BATCH))
    const taken = batch?.taken ?? 0
    count += taken
    if (taken < REPLAY_BATCH) return count
  }
}
