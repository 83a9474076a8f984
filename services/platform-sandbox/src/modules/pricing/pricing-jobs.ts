import { defineJob, type Job } from '@melmastoon/chassis/jobs'
import { pruneFxSnapshots } from './fx-sql.ts'
import { pruneQuotes } from './quote-sql.ts'
import { refreshFx } from './refresh-fx.ts'

/** Quotes are retained as evidence for the usual duration of a dispute. */
const QUOTE_DAYS = 90
const FX_DAYS = 30
const BATCH_ROWS = 5_000

export const pricingJobs: readonly Job[] = [
  defineJob({
    name: 'refresh-fx',
    schedule: { cron: '11 * * * *', timeZone: 'UTC' },
    timeoutMs: 30_000,
    run: async ({ db }) => ({ refreshed: await refreshFx(db) }),
  }),
  defineJob({
    name: 'pricing-prune',
    schedule: { cron: '37 3 * * *', timeZone: 'UTC' },
    timeoutMs: 10 * 60_000,
    async run({ db, signal }) {
      let quotes = 0
      for (;;) {
        signal.throwIfAborted()
        const [row] = await db.query(pruneQuotes(QUOTE_DAYS, BATCH_ROWS))
        quotes += row?.pruned ?? 0
        if ((row?.pruned ?? 0) < BATCH_ROWS) break
      }
      const [snapshots] = await db.query(pruneFxSnapshots(FX_DAYS))
      return { quotes, snapshots: snapshots?.pruned ?? 0 }
    },
  }),
]
