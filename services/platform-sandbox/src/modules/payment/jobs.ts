import { hostname } from 'node:os'
import { defineJob, type Job, type JobContext } from '@melmastoon/chassis/jobs'
import { platformRegistry } from '@melmastoon/platform-events'
import { systemCause } from '../../event-causes.ts'
import { expireIntents } from './expire-intents.ts'
import { pruneWebhooks } from './webhook-sql.ts'

const WEBHOOK_DAYS = 7
const PRUNE_ROWS = 5_000

export const paymentJobs: readonly Job[] = [
  defineJob({
    name: 'expire-payment-intents',
    schedule: { cron: '* * * * *' },
    timeoutMs: 5 * 60_000,
    async run({ db, signal }) {
      const moving = { registry: platformRegistry, cause: systemCause(hostname()) }
      return { expired: await expireIntents(db, { moving, signal }) }
    },
  }),
  defineJob({
    name: 'prune-payment-webhooks',
    schedule: { cron: '37 * * * *' },
    timeoutMs: 5 * 60_000,
    run: pruneOld,
  }),
]

async function pruneOld({ db, signal }: JobContext) {
  for (let deleted = 0; ; ) {
    signal.throwIfAborted()
    const [row] = await db.query(pruneWebhooks(WEBHOOK_DAYS, PRUNE_ROWS))
    const pruned = row?.pruned ?? 0
    deleted += pruned
    if (pruned < PRUNE_ROWS) return { deleted }
  }
}
