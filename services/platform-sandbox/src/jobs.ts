import type { Database } from '@melmastoon/chassis/db'
import { type Job, type JobHost, pruneJobs } from '@melmastoon/chassis/jobs'
import type { Logger } from '@melmastoon/chassis/telemetry'

export const sandboxJobs: readonly Job[] = pruneJobs()

/** With the relay's role: jobs work for all tenants. */
export function jobHost(db: Database, instance: string, logger: Logger): JobHost {
  return { db, jobs: sandboxJobs, instance, logger }
}
