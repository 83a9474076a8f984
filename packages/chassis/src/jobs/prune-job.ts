import type { Statement } from '../db/index.ts'
import { pruneIdempotency } from '../idempotency/index.ts'
import { pruneInbox } from '../inbox/index.ts'
import { pruneDeadEvents, pruneOutbox } from '../outbox/index.ts'
import { defineJob, type Job, type JobContext } from './job.ts'

/** Deletes no more than `limit` rows, those due longest first, and counts them. */
export type PruneStatement = (limit: number) => PruneResult

type PruneResult = Statement<{ pruned: number }>

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

/** A job that deletes expired rows in batches. */
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

/** A job on a table that every service has; the service's specification names it (D29). */
export interface SharedTableJob {
  readonly name: string
  readonly cron: string
  readonly retentionDays: number
}

export interface PruneOptions {
  /** False: the service retains them in another way. */
  readonly publishedEvents?: SharedTableJob | false
  /** Only if the service's specification requires it: otherwise dead letters are retained. */
  readonly deadEvents?: SharedTableJob
  readonly inbox?: SharedTableJob
  readonly idempotency?: Omit<SharedTableJob, 'retentionDays'>
  readonly batchRows?: number
  readonly timeZone?: string
}

const DEFAULTS = {
  /** How long a published event can still be replayed to a consumer that lost it. */
  publishedEvents: { name: 'outbox-prune', cron: '7 * * * *', retentionDays: 7 },
  idempotency: { name: 'idempotency-prune', cron: '17 * * * *' },
  /** Longer than any transport retains a message, so that late copies are recognised. */
  inbox: { name: 'inbox-prune', cron: '27 3 * * 0', retentionDays: 30 },
}

/** The jobs on the shared tables (P11), at minutes apart from each other. */
export function pruneJobs(options: PruneOptions = {}): Job[] {
  const { publishedEvents, idempotency, inbox, deadEvents } = { ...DEFAULTS, ...options }
  const { batchRows, timeZone } = options
  const prune = (job: Omit<SharedTableJob, 'retentionDays'>, statement: PruneStatement) =>
    pruneJob({ name: job.name, cron: job.cron, statement, batchRows, timeZone })
  const aged = (job: SharedTableJob, statement: (days: number, limit: number) => PruneResult) =>
    prune(job, (limit) => statement(job.retentionDays, limit))
  return [
    ...(publishedEvents === false ? [] : [aged(publishedEvents, pruneOutbox)]),
    prune(idempotency, pruneIdempotency),
    aged(inbox, pruneInbox),
    ...(deadEvents === undefined ? [] : [aged(deadEvents, pruneDeadEvents)]),
  ]
}
