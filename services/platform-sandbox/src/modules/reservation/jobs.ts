import { defineJob, type Job } from '@melmastoon/chassis/jobs'
import { sweepHolds } from '../inventory/module.ts'
import { findDrift } from './drift-sql.ts'
import { onHoldsExpired } from './expire-handler.ts'

const MINUTE_MS = 60_000

/** Every instance sweeps every few seconds; this job is for manual runs. */
const expireHolds = defineJob({
  name: 'expire-holds',
  timeoutMs: 5 * MINUTE_MS,
  run: ({ db, signal }) => sweepHolds(db, { instance: 'expire-holds', onHoldsExpired, signal }),
})

/** Reports, and does not repair: a mismatch is a defect to be investigated. */
const reconcileInventory = defineJob({
  name: 'reconcile-inventory',
  schedule: { cron: '43 * * * *' },
  timeoutMs: 5 * MINUTE_MS,
  run: async ({ db, logger }) => {
    const rows = await db.query(findDrift())
    if (rows.length > 0) {
      logger.error({ event: 'inventory_drift', count: rows.length }, 'inventory mismatch')
    }
    return { drift: rows.length }
  },
})

export const reservationJobs: readonly Job[] = [expireHolds, reconcileInventory]
