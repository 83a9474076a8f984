import {
  contextJob,
  defineJob,
  pruneJob,
  pruneJobs,
  type ServiceJob,
} from '@melmastoon/chassis/jobs'
import { keepActivityPartitions } from './activity/partition-keeper.ts'
import type { BackofficeContext } from './context.ts'
import { sweepDevices } from './devices/sweep-devices.ts'
import type { LakeTable } from './lake/lake.ts'
import {
  AI_DECISION_LOG,
  ALERT_ACK_LOG,
  LOCK_AUDIT,
  OPERATOR_ACTIVITY,
} from './lake/lake-tables.ts'
import { runExport } from './lake/run-export.ts'
import { pruneFollowUps } from './locks/follow-up-sql.ts'
import { raiseDue, reconcileDue } from './locks/reconciler.ts'
import { ownPruneJobs } from './pruning/prune-jobs.ts'
import { settleDueEffects } from './suggestions/settle-effects.ts'

/** Of stays that have ended or moved, after their keys agree. */
const FOLLOW_UP_DAYS = 35

/** The jobs of the data model §9, and some of our own. */
export function backofficeJobs(): ServiceJob<BackofficeContext>[] {
  return [
    /** Dead letters are pruned after 90 days (D29); published events are archived. */
    ...pruneJobs({
      publishedEvents: false,
      deadEvents: { name: 'outbox-dlq-prune', cron: '17 3 * * 0', retentionDays: 90 },
      idempotency: { name: 'idempotency-cleanup', cron: '17 * * * *' },
    }),
    defineJob({
      name: 'partition-keeper',
      schedule: { cron: '23 1 * * *' },
      timeoutMs: 60_000,
      run: ({ db }) => keepActivityPartitions(db),
    }),
    exportJob('activity-export', '11 1 * * *', OPERATOR_ACTIVITY),
    exportJob('alert-ack-export', '31 1 * * *', ALERT_ACK_LOG),
    exportJob('ai-decision-export', '41 1 * * *', AI_DECISION_LOG),
    exportJob('lock-audit-export', '51 1 * * *', LOCK_AUDIT),
    contextJob({
      name: 'device-status-sweep',
      cron: '*/5 * * * *',
      timeoutMs: 4 * 60_000,
      run: (ctx: BackofficeContext, { signal }) => sweepDevices(ctx, signal),
    }),
    contextJob({
      name: 'decision-effects',
      cron: '* * * * *',
      timeoutMs: 5 * 60_000,
      run: (ctx: BackofficeContext, { signal }) => settleDueEffects(ctx, signal),
    }),
    /** On request: what the reconciler of every instance does all the time. */
    contextJob({
      name: 'lock-reconciler',
      run: async (ctx: BackofficeContext, { signal }) => ({
        due: await reconcileDue(ctx, signal),
        alerts: await raiseDue(ctx, signal),
      }),
    }),
    pruneJob({
      name: 'lock-follow-up-prune',
      cron: '47 3 * * *',
      statement: (limit) => pruneFollowUps(FOLLOW_UP_DAYS, limit),
    }),
    ...ownPruneJobs(),
  ]
}

/** A peak day of the ledger takes two minutes; after an outage there are several. */
const EXPORT_MS = 60 * 60_000

function exportJob(name: string, cron: string, table: LakeTable): ServiceJob<BackofficeContext> {
  return contextJob({
    name,
    cron,
    timeoutMs: EXPORT_MS,
    run(ctx: BackofficeContext, { db, signal }) {
      const { lake, clock, lakeMetrics: metrics } = ctx
      const onError = ctx.errors.for(name)
      return runExport({ db, lake, clock, metrics, onError }, table, signal)
    },
  })
}
