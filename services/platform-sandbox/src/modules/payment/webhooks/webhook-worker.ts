import { type Announced, repeat, runUntilStopped } from '@melmastoon/chassis/concurrency'
import type { Database } from '@melmastoon/chassis/db'
import { type Id, idToUuid, problem, type TenantId } from '@melmastoon/domain'
import type { Worker } from '../../../module.ts'
import { type ClaimedWebhook, claimWebhooks, resendWebhook as resend } from '../webhook-sql.ts'
import { deliverWebhook, type WebhookSender } from './deliver-webhook.ts'

const IN_FLIGHT_MAX = 32
/**
 * Deliveries in flight may finish within this time; then they are aborted and repeated when their
 * lease ends.
 */
const WIND_UP_MS = 500

export interface WebhookWorkerOptions {
  readonly sender: WebhookSender
  readonly announced?: Announced
  readonly onOutcome: (outcome: Awaited<ReturnType<typeof deliverWebhook>>) => void
  readonly onError: (error: unknown) => void
}

/**
 * Delivers due webhooks, several at a time, so that one slow receiver does not block the others. At
 * least once: a crash between the response and its record repeats the delivery.
 */
export function startWebhookWorker(options: WebhookWorkerOptions): Worker {
  const { sender, onOutcome, onError, announced } = options
  const cut = new AbortController()
  const inFlight = new Set<Promise<void>>()

  const deliver = async (webhook: ClaimedWebhook) => {
    try {
      onOutcome(await deliverWebhook(sender, webhook, cut.signal))
    } catch (error) {
      onError(error)
    }
  }

  const takeTurn = async () => {
    const room = IN_FLIGHT_MAX - inFlight.size
    if (room === 0) return 0
    const claimed = await sender.db.query(claimWebhooks(room, sender.times.leaseSeconds))
    for (const webhook of claimed) {
      const delivery = deliver(webhook).finally(() => inFlight.delete(delivery))
      inFlight.add(delivery)
    }
    return claimed.length
  }

  const { pollMs } = sender.times
  const idle = { pollMs, ...(announced !== undefined && { announced }) }
  const loop = runUntilStopped((signal) => repeat(takeTurn, { ...idle, signal, onError }))
  return {
    async stop() {
      await loop.stop()
      const timer = setTimeout(() => cut.abort(), WIND_UP_MS)
      await Promise.all(inFlight)
      clearTimeout(timer)
    },
  }
}

/** One more copy with the same id and bytes, whatever the previous result. */
export async function resendWebhook(
  db: Database,
  tenantId: TenantId,
  webhookId: Id<'whk'>,
): Promise<void> {
  const statement = resend(idToUuid(tenantId), idToUuid(webhookId))
  const [row] = await db.tenantQuery(tenantId, statement)
  if (row === undefined) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
}
