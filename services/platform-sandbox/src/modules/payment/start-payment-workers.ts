import { systemClock } from '@melmastoon/chassis/clock'
import { repeat, runUntilStopped } from '@melmastoon/chassis/concurrency'
import { webhookKeys } from '@melmastoon/security'
import { Agent } from 'undici'
import { systemCause } from '../../event-causes.ts'
import type { ModuleHost, Worker } from '../../module.ts'
import { INTENTS_TOPIC } from './intent-sql.ts'
import { settleDueIntents } from './settle-due-intents.ts'
import { WEBHOOKS_TOPIC } from './webhook-sql.ts'
import { WEBHOOK_TIMES } from './webhooks/webhook-times.ts'
import { startWebhookWorker } from './webhooks/webhook-worker.ts'

const SETTLE_POLL_MS = 250

/** Runs automatic responses and webhook deliveries. */
export function startPaymentWorkers(host: ModuleHost): Worker {
  const { config, errors } = host
  const settler = startSettler(host, errors.for('payment', 'settle'))
  const { webhookUrl } = config
  if (webhookUrl === undefined) return settler
  const agent = new Agent({ connections: 16, pipelining: 1, maxResponseSize: 64 * 1024 })
  const outcomes = host.metrics.counter({
    name: 'payment_webhook_total',
    help: 'Webhooks of the test provider by outcome.',
    labels: ['outcome'],
  })
  const sender = {
    db: host.relayDb,
    url: webhookUrl,
    keys: webhookKeys(config.secrets.webhook.reveal()),
    scenarios: host.scenarios,
    times: { ...WEBHOOK_TIMES, lateSeconds: config.webhookLateSeconds },
    agent,
    clock: systemClock,
  }
  const onOutcome = (outcome: string) => outcomes.inc({ outcome })
  const webhooks = startWebhookWorker({
    sender,
    announced: { source: host.announcements, topic: WEBHOOKS_TOPIC },
    onOutcome,
    onError: errors.for('payment', 'webhooks'),
  })
  return {
    async stop() {
      await Promise.all([settler.stop(), webhooks.stop()])
      await agent.close()
    },
  }
}

function startSettler(host: ModuleHost, onError: (error: unknown) => void): Worker {
  const { relayDb, registry, config, announcements: source } = host
  const moving = () => ({ registry, cause: systemCause(config.instance) })
  const turn = () => settleDueIntents(relayDb, moving)
  const announced = { source, topic: INTENTS_TOPIC }
  return runUntilStopped((signal) =>
    repeat(turn, { pollMs: SETTLE_POLL_MS, announced, signal, onError }),
  )
}
