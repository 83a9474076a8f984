import type { Queryable } from '../db/index.ts'
import { pruneProcessed } from './sql/prune-inbox.ts'

/** Longer than any transport keeps a message (Pub/Sub: 7 days), else a late copy would run again. */
const RETENTION_DAYS = 14
const BITE = 5_000

/** With the relay role. Dead messages stay until a person decides. */
export async function pruneInbox(db: Queryable, retentionDays = RETENTION_DAYS): Promise<number> {
  let total = 0
  for (;;) {
    const [row] = await db.query(pruneProcessed(retentionDays, BITE))
    total += row?.pruned ?? 0
    if ((row?.pruned ?? 0) < BITE) return total
  }
}
