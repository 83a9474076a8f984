import { type Job, pruneJob, pruneJobs } from '@melmastoon/chassis/jobs'
import { pruneArrivals, pruneDrafts, pruneSnapshots } from './prune-sql.ts'

/**
 * The cleanup jobs of the data model §10, and one for the tables of bookings in progress; published
 * events are pruned after 7 days (D29).
 */
export function bookingPruneJobs(): Job[] {
  return [
    ...pruneJobs(),
    pruneJob({ name: 'handoff-arrival-prune', cron: '37 * * * *', statement: pruneArrivals }),
    pruneJob({ name: 'draft-snapshot-prune', cron: '47 2 * * *', statement: pruneSnapshots }),
    pruneJob({ name: 'booking-draft-prune', cron: '52 2 * * *', statement: pruneDrafts }),
  ]
}
