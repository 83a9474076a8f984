import type { Database } from '@melmastoon/chassis/db'
import { type JobHost, pruneJobs } from '@melmastoon/chassis/jobs'
import type { Logger } from '@melmastoon/chassis/telemetry'

/** The jobs every service has; the example needs none of its own. */
export const exampleJobs = pruneJobs()

/** With the relay's role: jobs work for all tenants. */
export function jobHost(db: Database, instance: string, logger: Logger): JobHost {
  return { db, jobs: exampleJobs, instance, logger }
}
