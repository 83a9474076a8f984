import type { Database } from '@melmastoon/chassis/db'
import { type Job, type JobHost, pruneJob, pruneJobs } from '@melmastoon/chassis/jobs'
import type { Logger } from '@melmastoon/chassis/telemetry'
import { pruneScores } from './bots/sql/prune-scores.ts'
import { pruneHandoffs } from './handoff/handoff-sql.ts'
import { pruneWishlists } from './wishlist/sql/prune-wishlists.ts'

export const consumerJobs: readonly Job[] = [
  ...pruneJobs(),
  pruneJob({ name: 'wishlist-retention', cron: '47 2 * * *', statement: pruneWishlists }),
  pruneJob({ name: 'handoff-prune', cron: '37 * * * *', statement: pruneHandoffs }),
  pruneJob({ name: 'bot-score-prune', cron: '57 * * * *', statement: pruneScores }),
]

export function jobHost(db: Database, instance: string, logger: Logger): JobHost {
  return { db, jobs: consumerJobs, instance, logger }
}
