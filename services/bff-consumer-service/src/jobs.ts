import type { Database } from '@melmastoon/chassis/db'
import { type Job, type JobHost, pruneJobs } from '@melmastoon/chassis/jobs'
import type { Logger } from '@melmastoon/chassis/telemetry'

export const consumerJobs: readonly Job[] = pruneJobs()

export function jobHost(db: Database, instance: string, logger: Logger): JobHost {
  return { db, jobs: consumerJobs, instance, logger }
}
