import type { Database } from '../db/index.ts'
import type { Logger } from '../telemetry/index.ts'

export interface JobContext {
  /** As the role for relays and jobs, never the one that serves requests. */
  readonly db: Database
  /** Fires when the time is over, when the lease is lost and when the process stops. */
  readonly signal: AbortSignal
  readonly logger: Logger
}

/** Counts only: it is stored, logged and shown to operators. */
export type JobSummary = Readonly<Record<string, number | string | boolean>>

export interface Job {
  readonly name: string
  /** Cron pattern; without one the job runs only on request. */
  readonly schedule?: { cron: string; timeZone?: string }
  readonly timeoutMs: number
  run(context: JobContext): Promise<JobSummary>
}

const NAME = /^[a-z][a-z0-9-]{1,62}$/

export function defineJob(job: Job): Job {
  if (!NAME.test(job.name)) throw new TypeError(`job name ${job.name} is not kebab-case`)
  if (!(job.timeoutMs > 0)) throw new TypeError(`job ${job.name} needs a timeout`)
  return Object.freeze({ ...job })
}
