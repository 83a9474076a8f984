import type { Statement } from '../db/index.ts'
import { defineJob, type Job, type JobContext } from './job.ts'
import { pruneIdempotency } from './sql/prune-idempotency.ts'
import { pruneInbox } from './sql/prune-inbox.ts'
import { pruneOutboxPublished } from './sql/prune-outbox-published.ts'

export interface PruneOptions {
  /** Rows of one statement: short locks, and a replica or a backup never waits long. */
  batchRows?: number
  timeZone?: string
}

/** The seeds' data model: published events for 7 days, inbox rows for 30. */
const OUTBOX_DAYS = 7
const INBOX_DAYS = 30
const BATCH_ROWS = 5000
const TIMEOUT_MS = 10 * 60_000

/** The three jobs every service has, on the schedules of the seeds. */
export function pruneJobs(options: PruneOptions = {}): Job[] {
  const { batchRows = BATCH_ROWS, timeZone = 'UTC' } = options
  const prune = (name: string, cron: string, statement: () => Statement<{ gone: number }>) =>
    defineJob({
      name,
      schedule: { cron, timeZone },
      timeoutMs: TIMEOUT_MS,
      run: (context) => pruneAll(context, statement, batchRows),
    })
  return [
    prune('outbox-prune', '7 * * * *', () => pruneOutboxPublished(OUTBOX_DAYS, batchRows)),
    prune('idempotency-prune', '17 * * * *', () => pruneIdempotency(batchRows)),
    prune('inbox-prune', '27 3 * * 0', () => pruneInbox(INBOX_DAYS, batchRows)),
  ]
}

async function pruneAll(
  { db, signal }: JobContext,
  statement: () => Statement<{ gone: number }>,
  batchRows: number,
): Promise<{ deleted: number; batches: number }> {
  let deleted = 0
  let batches = 0
  for (;;) {
    signal.throwIfAborted()
    const [row] = await db.query(statement())
    const gone = row?.gone ?? 0
    deleted += gone
    batches++
    if (gone < batchRows) return { deleted, batches }
  }
}
