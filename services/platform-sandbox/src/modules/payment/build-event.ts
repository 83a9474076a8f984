import type { OutboxEvent } from '@melmastoon/events'
import {
  paymentAuthorized,
  paymentCaptured,
  paymentFailed,
  paymentRefunded,
} from '@melmastoon/platform-events'
import { type StoredIntent, toInstant } from './intent.ts'
import type { Moving } from './move-intent.ts'
import { type Change, ruleOf } from './state-table.ts'

const EVENTS = {
  authorized: paymentAuthorized,
  captured: paymentCaptured,
  failed: paymentFailed,
  refunded: paymentRefunded,
}

/** One event for each transition that captures, refunds or fails; none for the others. */
export function buildEvent(
  { registry, cause }: Moving,
  intent: StoredIntent,
  change: Change,
): OutboxEvent[] {
  const { event } = ruleOf(change.move)
  if (event === null) return []
  const payload = {
    tenantId: intent.tenantId,
    paymentIntentId: intent.paymentIntentId,
    reservationId: intent.reservationId,
    method: intent.method,
    status: intent.status,
    amount: { amountMicro: String(amountOf(event, intent, change)), currency: intent.currency },
    reasonCode: change.reasonCode ?? null,
    occurredAt: toInstant(intent.updatedAt),
  }
  const context = { ...cause, tenantId: intent.tenantId }
  return [registry.build(EVENTS[event].subject, payload, context)]
}

function amountOf(event: keyof typeof EVENTS, intent: StoredIntent, change: Change): bigint {
  switch (event) {
    case 'captured':
      return intent.capturedMicro
    case 'refunded':
      return change.amountMicro ?? 0n
    case 'authorized':
    case 'failed':
      return intent.amountMicro
  }
}
