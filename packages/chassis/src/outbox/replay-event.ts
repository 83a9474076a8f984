import type { Queryable } from '../db/index.ts'
import {
  databaseNow,
  reopenLogged,
  reopenLoggedSince,
  reopenPublished,
  reopenPublishedBetween,
  reviveDead,
} from './replay-sql.ts'

/** Publishes a dead or an already published event once more. False when there is no such event. */
export async function replayEvent(db: Queryable, eventId: string): Promise<boolean> {
  for (const statement of [reviveDead, reopenPublished, reopenLogged]) {
    if ((await db.query(statement(eventId))).length > 0) return true
  }
  return false
}

const REPLAY_BATCH = 1_000
/** A batch of the log sorts what remains. */
const LOG_BATCH = 5_000

/** Replays all events published since `since`, for a bus that lost its data (D21). */
export async function replayPublishedSince(db: Queryable, since: Date): Promise<number> {
  const [moment] = await db.query(databaseNow())
  // Events that the relay publishes meanwhile are not replayed again.
  const rows = await replayRows(db, { since, until: moment?.now ?? since })
  return rows + (await replayLog(db, since, moment?.lastSeq ?? 0))
}

async function replayRows(db: Queryable, period: { since: Date; until: Date }): Promise<number> {
  let count = 0
  for (;;) {
    const [batch] = await db.query(reopenPublishedBetween(period, REPLAY_BATCH))
    const taken = batch?.taken ?? 0
    count += taken
    if (taken < REPLAY_BATCH) return count
  }
}

async function replayLog(db: Queryable, since: Date, untilSeq: number): Promise<number> {
  let count = 0
  let afterSeq = -1
  for (;;) {
    const [batch] = await db.query(reopenLoggedSince({ since, afterSeq, untilSeq }, LOG_BATCH))
    count += batch?.taken ?? 0
    afterSeq = batch?.lastSeq ?? untilSeq
    if ((batch?.read ?? 0) < LOG_BATCH) return count
  }
}
