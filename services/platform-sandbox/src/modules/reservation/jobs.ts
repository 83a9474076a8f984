import { defineJob, type Job } from '@melmastoon/chassis/jobs'
import { sweepHolds } from '../inventory/module.ts'
import { findDrift } from './drift-sql.ts'
import { onHoldsExpired } from './expire-handler.ts'

const MINUTE_MS = 60_000

/** Every instance sweeps by itself every few seconds; this is for whoever wants it now. */
const expireHolds = defineJob({
  name: 'expire-holds',
  timeoutMs: 5 * MINUTE_MS,
  run: ({ db, signal }) => sweepHolds(db, { instance: 'expire-holds', onHoldsExpired, signal }),
})

/** Finds, and does not repair: what does not add up is a defect to be understood. */
const reconcileInventory = defineJob({
  name: 'reconcile-inventory',
  schedule: { cron: '43 * * * *' },
  timeoutMs: 5 * MINUTE_MS,
  run: async ({ db, logger }) => {
    const rows = await db.query(findDrift())
    if (rows.length > 0) {
      logger.error({ event: 'inventory_drift', count: rows.length }, 'rooms do not add up')
    }
    return { drift: rows.length }
  },
})

export const reservationJobs: readonly Job[] = [expireHolds, reconcileInventory]
