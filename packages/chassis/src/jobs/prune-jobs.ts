import { pruneIdempotency } from '../idempotency/index.ts'
import { pruneInbox } from '../inbox/index.ts'
import { pruneOutbox } from '../outbox/index.ts'
import type { Job } from './job.ts'
import { type PruneStatement, pruneJob } from './prune-job.ts'

export interface PruneOptions {
  batchRows?: number
  timeZone?: string
}

/** How long a published event can still be replayed to a consumer that lost it. */
const OUTBOX_DAYS = 7
/** Longer than any transport keeps a message, else a late copy would run again. */
const INBOX_DAYS = 30

/** The three jobs every service has (P11), at minutes apart from each other. */
export function pruneJobs(options: PruneOptions = {}): Job[] {
  const prune = (name: string, cron: string, statement: PruneStatement) =>
    pruneJob({ name, cron, statement, ...options })
  return [
    prune('outbox-prune', '7 * * * *', (limit) => pruneOutbox(OUTBOX_DAYS, limit)),
    prune('idempotency-prune', '17 * * * *', pruneIdempotency),
    prune('inbox-prune', '27 3 * * 0', (limit) => pruneInbox(INBOX_DAYS, limit)),
  ]
}
