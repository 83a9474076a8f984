import type { Statement } from '../db/index.ts'
import { defineJob, type Job, type JobContext } from './job.ts'

/** Deletes no more than `limit` rows, those due longest first, and counts them. */
export type PruneStatement = (limit: number) => Statement<{ pruned: number }>

export interface PruneJobOptions {
  readonly name: string
  readonly cron: string
  readonly statement: PruneStatement
  /** Rows of one statement: short locks, and a replica or a backup never waits long. */
  readonly batchRows?: number | undefined
  readonly timeZone?: string | undefined
}

const BATCH_ROWS = 5000
const TIMEOUT_MS = 10 * 60_000

/** A job that deletes what is no longer needed, bite by bite. */
export function pruneJob(options: PruneJobOptions): Job {
  const { name, cron, statement, batchRows = BATCH_ROWS, timeZone = 'UTC' } = options
  return defineJob({
    name,
    schedule: { cron, timeZone },
    timeoutMs: TIMEOUT_MS,
    run: (context) => pruneAll(context, statement, batchRows),
  })
}

async function pruneAll(
  { db, signal }: JobContext,
  statement: PruneStatement,
  batchRows: number,
): Promise<{ deleted: number; batches: number }> {
  let deleted = 0
  let batches = 0
  for (;;) {
    signal.throwIfAborted()
    const [row] = await db.query(statement(batchRows))
    const pruned = row?.pruned ?? 0
    deleted += pruned
    batches++
    if (pruned < batchRows) return { deleted, batches }
  }
}
