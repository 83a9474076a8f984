import { type JobHost, pruneJobs } from '@melmastoon/chassis/jobs'
import type { ExampleContext } from './context.ts'

/** The jobs every service has; the example needs none of its own. */
export const exampleJobs = pruneJobs()

export function jobHost({ relayDb: db, config, logger }: ExampleContext): JobHost {
  return { db, jobs: exampleJobs, instance: config.instance, logger }
}
