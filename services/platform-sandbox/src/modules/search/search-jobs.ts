import { defineJob, type Job } from '@melmastoon/chassis/jobs'
import { fadePopularity } from './popularity-sql.ts'

const BATCH_ROWS = 1_000
const TIMEOUT_MS = 5 * 60_000

/** Decays the popularity of hotels without recent views, for all processes. */
export const searchJobs: readonly Job[] = [
  defineJob({
    name: 'search-fade-popularity',
    schedule: { cron: '41 * * * *', timeZone: 'UTC' },
    timeoutMs: TIMEOUT_MS,
    async run({ db, signal }) {
      let faded = 0
      while (!signal.aborted) {
        const rows = await db.query(fadePopularity(BATCH_ROWS))
        faded += rows.length
        if (rows.length < BATCH_ROWS) break
      }
      return { faded }
    },
  }),
]
