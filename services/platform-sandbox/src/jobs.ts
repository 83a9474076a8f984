import type { Database } from '@melmastoon/chassis/db'
import { type Job, type JobHost, pruneJobs } from '@melmastoon/chassis/jobs'
import type { Logger } from '@melmastoon/chassis/telemetry'
import { paymentJobs } from './modules/payment/jobs.ts'
import { pricingJobs } from './modules/pricing/pricing-jobs.ts'
import { reservationJobs } from './modules/reservation/jobs.ts'
import { searchJobs } from './modules/search/search-jobs.ts'

export const sandboxJobs: readonly Job[] = [
  ...pruneJobs(),
  ...pricingJobs,
  ...reservationJobs,
  ...paymentJobs,
  ...searchJobs,
]

/** With the relay's role: jobs work for all tenants. */
export function jobHost(db: Database, instance: string, logger: Logger): JobHost {
  return { db, jobs: sandboxJobs, instance, logger }
}
