import { defineJob, pruneJobs, type ServiceJob } from '@melmastoon/chassis/jobs'
import { keepActivityPartitions } from './activity/partition-keeper.ts'
import type { BackofficeContext } from './context.ts'

/** The jobs of the data model §9, and some of our own. */
export function backofficeJobs(): ServiceJob<BackofficeContext>[] {
  return [
    /** Published events are archived after 30 days, dead letters pruned after 90 (D29). */
    ...pruneJobs({
      publishedEvents: { name: 'outbox-archival', cron: '7 2 * * *', retentionDays: 30 },
      deadEvents: { name: 'outbox-dlq-prune', cron: '17 3 * * 0', retentionDays: 90 },
      idempotency: { name: 'idempotency-cleanup', cron: '17 * * * *' },
    }),
    defineJob({
      name: 'partition-keeper',
      schedule: { cron: '23 1 * * *' },
      timeoutMs: 60_000,
      run: ({ db }) => keepActivityPartitions(db),
    }),
  ]
}
