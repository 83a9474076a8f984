import { type Statement, sql } from '@melmastoon/chassis/db'
import type { WebhookFate } from '../../../scenarios/scenario-board.ts'

export interface WebhookLease {
  readonly tenant_id: string
  readonly webhook_id: string
  readonly fence: number
}

/** Plays a fate that is not to send: until later, or never. */
export function postponeWebhook(
  lease: WebhookLease,
  fate: WebhookFate,
  delaySeconds: number,
): Statement<unknown> {
  return sql`
    update sandbox.payment_webhook set
      fate = ${fate}, is_fate_played = true, lease_until = null,
      status = case when ${fate} = 'lost' then 'lost' else status end,
      next_attempt_at = now() + make_interval(secs => ${delaySeconds}::float8)
    where tenant_id = ${lease.tenant_id}::uuid and webhook_id = ${lease.webhook_id}::uuid
      and fence = ${lease.fence} and status = 'pending'`
}

export interface Delivered {
  readonly fate: WebhookFate
  readonly outcome: string
  /** Copies to send beyond those already wanted. */
  readonly moreCopies: number
  readonly copyDelaySeconds: number
}

export function recordDelivery(lease: WebhookLease, delivered: Delivered): Statement<unknown> {
  const { fate, outcome, moreCopies, copyDelaySeconds } = delivered
  return sql`
    update sandbox.payment_webhook set
      fate = ${fate}, is_fate_played = true, lease_until = null,
      attempts = attempts + 1, last_outcome = ${outcome},
      deliveries_done = deliveries_done + 1,
      deliveries_wanted = deliveries_wanted + ${moreCopies}::int,
      status = case when deliveries_done + 1 >= deliveries_wanted + ${moreCopies}::int
        then 'delivered' else 'pending' end,
      settled_at = now(),
      next_attempt_at = now() + make_interval(secs => ${copyDelaySeconds}::float8)
    where tenant_id = ${lease.tenant_id}::uuid and webhook_id = ${lease.webhook_id}::uuid
      and fence = ${lease.fence} and status = 'pending'`
}

export interface FailedDelivery {
  readonly fate: WebhookFate
  readonly outcome: string
  readonly attemptsMax: number
  readonly backOffSeconds: number
  readonly backOffMaxSeconds: number
}

/** Doubles the wait each time, half of it by chance, so that receivers are not hit in waves. */
export function recordFailure(lease: WebhookLease, failed: FailedDelivery): Statement<unknown> {
  return sql`
    update sandbox.payment_webhook set
      fate = ${failed.fate}, is_fate_played = true, lease_until = null,
      attempts = attempts + 1, last_outcome = ${failed.outcome},
      status = case when attempts + 1 >= ${failed.attemptsMax} then 'dead' else 'pending' end,
      settled_at = now(),
      next_attempt_at = now() + make_interval(secs => (0.5 + random() / 2)
        * least(${failed.backOffMaxSeconds}::float8,
          ${failed.backOffSeconds}::float8 * 2 ^ least(attempts, 30)))
    where tenant_id = ${lease.tenant_id}::uuid and webhook_id = ${lease.webhook_id}::uuid
      and fence = ${lease.fence} and status = 'pending'`
}
