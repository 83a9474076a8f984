import type { Clock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import { type KeyRing, signWebhook, WEBHOOK_SIGNATURE_HEADER } from '@melmastoon/security'
import { type Dispatcher, request } from 'undici'
import type { ScenarioBoard, WebhookDelivery } from '../../../scenarios/scenario-board.ts'
import {
  type ClaimedWebhook,
  postponeWebhook,
  recordDelivery,
  recordFailure,
} from '../webhook-sql.ts'
import type { WebhookTimes } from './webhook-times.ts'

export interface WebhookSender {
  readonly db: Database
  readonly url: string
  readonly keys: KeyRing
  readonly scenarios: Pick<ScenarioBoard, 'webhookDelivery'>
  readonly times: WebhookTimes
  readonly agent: Dispatcher
  readonly clock: Clock
}

/** Applies the delivery setting of a webhook once, and otherwise sends it until it is accepted. */
export async function deliverWebhook(
  sender: WebhookSender,
  webhook: ClaimedWebhook,
  signal: AbortSignal,
): Promise<'delivered' | 'failed' | 'postponed' | 'lost'> {
  const { db, times } = sender
  const delivery = webhook.is_fate_played
    ? (webhook.fate ?? 'prompt')
    : (webhook.fate ?? sender.scenarios.webhookDelivery())
  const delaySeconds = webhook.is_fate_played ? null : delayOf(delivery, webhook, times)
  if (delaySeconds !== null) {
    await db.query(postponeWebhook(webhook, delivery, delaySeconds))
    return delivery === 'lost' ? 'lost' : 'postponed'
  }
  const { isAccepted, outcome } = await sendWebhook(sender, webhook.body, signal)
  if (!isAccepted) {
    const { attemptsMax, backOffSeconds, backOffMaxSeconds } = times
    const failed = { delivery, outcome, attemptsMax, backOffSeconds, backOffMaxSeconds }
    await db.query(recordFailure(webhook, failed))
    return 'failed'
  }
  const moreCopies = delivery === 'twice' && !webhook.is_fate_played ? 1 : 0
  const { copyDelaySeconds } = times
  await db.query(recordDelivery(webhook, { delivery, outcome, moreCopies, copyDelaySeconds }))
  return 'delivered'
}

/** Null: it is sent now. */
function delayOf(
  delivery: WebhookDelivery,
  webhook: ClaimedWebhook,
  times: WebhookTimes,
): number | null {
  switch (delivery) {
    case 'late':
      return times.lateSeconds
    case 'reversed':
      // Earlier changes wait longer, so that of two close ones the later arrives first.
      return Math.max(0, 4 - webhook.intent_version) * times.reverseStepSeconds
    case 'lost':
      return 0
    case 'prompt':
    case 'twice':
      return null
  }
}

/** Only a 2xx is a success, and redirects are not followed: the signature is for this URL only. */
async function sendWebhook(
  { url, keys, times, agent, clock }: WebhookSender,
  body: string,
  stopped: AbortSignal,
) {
  try {
    const response = await request(url, {
      method: 'POST',
      dispatcher: agent,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'melmastoon-test-payments/1',
        [WEBHOOK_SIGNATURE_HEADER]: signWebhook(keys, body, clock.now()),
      },
      signal: AbortSignal.any([stopped, AbortSignal.timeout(times.sendMs)]),
    })
    await response.body.dump()
    const isAccepted = response.statusCode >= 200 && response.statusCode < 300
    return { isAccepted, outcome: `http_${response.statusCode}` }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    return { isAccepted: false, outcome: isTimeout ? 'timeout' : 'unreachable' }
  }
}
