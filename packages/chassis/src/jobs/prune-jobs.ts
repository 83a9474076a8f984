import type { Statement } from '../db/index.ts'
import { pruneIdempotency } from '../idempotency/index.ts'
import { pruneInbox } from '../inbox/index.ts'
import { pruneOutbox } from '../outbox/index.ts'
import { defineJob, type Job, type JobContext } from './job.ts'

export interface PruneOptions {
  /** Rows of one statement: short locks, and a replica or a backup never waits long. */
  batchRows?: number
  timeZone?: string
}

/** How long a published event can still be replayed to a consumer that lost it. */
const OUTBOX_DAYS = 7
/** Longer than any transport keeps a message, else a late copy would run again. */
const INBOX_DAYS = 30
const BATCH_ROWS = 5000
const TIMEOUT_MS = 10 * 60_000

/** The three jobs every service has (P11), at minutes apart from each other. */
export function pruneJobs(options: PruneOptions = {}): Job[] {
  const { batchRows = BATCH_ROWS, timeZone = 'UTC' } = options
  const prune = (name: string, cron: string, statement: () => Statement<{ pruned: number }>) =>
    defineJob({
      name,
      schedule: { cron, timeZone },
      timeoutMs: TIMEOUT_MS,
      run: (context) => pruneAll(context, statement, batchRows),
    })
  return [
    prune('outbox-prune', '7 * * * *', () => pruneOutbox(OUTBOX_DAYS, batchRows)),
    prune('idempotency-prune', '17 * * * *', () => pruneIdempotency(batchRows)),
    prune('inbox-prune', '27 3 * * 0', () => pruneInbox(INBOX_DAYS, batchRows)),
  ]
}

async function pruneAll(
  { db, signal }: JobContext,
  statement: () => Statement<{ pruned: number }>,
  batchRows: number,
): Promise<{ deleted: number; batches: number }> {
  let deleted = 0
  let batches = 0
  for (;;) {
    signal.throwIfAborted()
    const [row] = await db.query(statement())
    const pruned = row?.pruned ?? 0
    deleted += pruned
    batches++
    if (pruned < batchRows) return { deleted, batches }
  }
}
