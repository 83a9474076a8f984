import { defineJob, type Job } from '@melmastoon/chassis/jobs'
import { pruneChanges } from './change-sql.ts'

/** Longer than a device may stay offline. */
const CHANGE_DAYS = 30
const PRUNE_ROWS = 5_000

export const syncJobs: readonly Job[] = [
  defineJob({
    name: 'prune-sync-changes',
    schedule: { cron: '17 3 * * *' },
    timeoutMs: 5 * 60_000,
    async run({ db, signal }) {
      for (let deleted = 0; ; ) {
        signal.throwIfAborted()
        const [row] = await db.query(pruneChanges(CHANGE_DAYS, PRUNE_ROWS))
        const pruned = row?.pruned ?? 0
        deleted += pruned
        if (pruned < PRUNE_ROWS) return { deleted }
      }
    },
  }),
]
