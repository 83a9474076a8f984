import type { Clock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import { type KeyRing, signWebhook, WEBHOOK_SIGNATURE_HEADER } from '@melmastoon/security'
import { type Dispatcher, request } from 'undici'
import type { ScenarioBoard, WebhookFate } from '../../../scenarios/scenario-board.ts'
import {
  type ClaimedWebhook,
  postponeWebhook,
  recordDelivery,
  recordFailure,
} from '../webhook-sql.ts'
import type { WebhookTimes } from './webhook-times.ts'

export interface Courier {
  readonly db: Database
  readonly url: string
  readonly keys: KeyRing
  readonly scenarios: Pick<ScenarioBoard, 'webhookFate'>
  readonly times: WebhookTimes
  readonly agent: Dispatcher
  readonly clock: Clock
}

/** Applies the delivery setting of a webhook once, and otherwise sends it until it is accepted. */
export async function deliverWebhook(
  courier: Courier,
  webhook: ClaimedWebhook,
  signal: AbortSignal,
): Promise<'delivered' | 'failed' | 'postponed' | 'lost'> {
  const { db, times } = courier
  const fate = webhook.is_fate_played
    ? (webhook.fate ?? 'prompt')
    : (webhook.fate ?? courier.scenarios.webhookFate())
  const delaySeconds = webhook.is_fate_played ? null : delayOf(fate, webhook, times)
  if (delaySeconds !== null) {
    await db.query(postponeWebhook(webhook, fate, delaySeconds))
    return fate === 'lost' ? 'lost' : 'postponed'
  }
  const { isTaken, outcome } = await sendWebhook(courier, webhook.body, signal)
  if (!isTaken) {
    const { attemptsMax, backOffSeconds, backOffMaxSeconds } = times
    const failed = { fate, outcome, attemptsMax, backOffSeconds, backOffMaxSeconds }
    await db.query(recordFailure(webhook, failed))
    return 'failed'
  }
  const moreCopies = fate === 'twice' && !webhook.is_fate_played ? 1 : 0
  const { copyDelaySeconds } = times
  await db.query(recordDelivery(webhook, { fate, outcome, moreCopies, copyDelaySeconds }))
  return 'delivered'
}

/** Null: it is sent now. */
function delayOf(fate: WebhookFate, webhook: ClaimedWebhook, times: WebhookTimes): number | null {
  switch (fate) {
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
  { url, keys, times, agent, clock }: Courier,
  body: string,
  stopped: AbortSignal,
) {
  try {
    const answer = await request(url, {
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
    await answer.body.dump()
    const isTaken = answer.statusCode >= 200 && answer.statusCode < 300
    return { isTaken, outcome: `http_${answer.statusCode}` }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    return { isTaken: false, outcome: isTimeout ? 'timeout' : 'unreachable' }
  }
}
