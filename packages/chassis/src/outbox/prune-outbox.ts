import type { Queryable } from '../db/index.ts'
import { prunePublished } from './sql/prune-outbox.ts'

const RETENTION_DAYS = 7
const BITE = 5_000

/** Published rows are kept for a week, for replays. Dead rows stay until a person decides. */
export async function pruneOutbox(db: Queryable, retentionDays = RETENTION_DAYS): Promise<number> {
  let total = 0
  for (;;) {
    const [row] = await db.query(prunePublished(retentionDays, BITE))
    total += row?.pruned ?? 0
    if ((row?.pruned ?? 0) < BITE) return total
  }
}
