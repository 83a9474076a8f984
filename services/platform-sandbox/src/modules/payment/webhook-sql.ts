import { type Statement, sql } from '@melmastoon/chassis/db'
import type { WebhookDelivery } from '../../scenarios/scenario-board.ts'
import type { IntentRef } from './intent-sql.ts'

export const WEBHOOKS_TOPIC = 'payment-webhooks'

export interface NewWebhook extends IntentRef {
  readonly webhook: string
  readonly version: number
  readonly type: string
  readonly body: string
  readonly fate: WebhookDelivery | null
}

export function insertWebhooks(webhooks: readonly NewWebhook[]): Statement<unknown> {
  return sql`
    insert into sandbox.payment_webhook
      (tenant_id, webhook_id, payment_intent_id, intent_version, type, body, fate)
    select n.tenant, n.webhook, n.intent, n.version, n.type, n.body, n.fate
    from json_to_recordset(${JSON.stringify(webhooks)}::json) as n (tenant uuid, webhook uuid,
      intent uuid, version int, type text, body text, fate text)`.announcing(WEBHOOKS_TOPIC)
}

export interface ClaimedWebhook {
  readonly tenant_id: string
  readonly webhook_id: string
  readonly intent_version: number
  readonly body: string
  readonly fate: WebhookDelivery | null
  readonly is_fate_played: boolean
  readonly fence: number
}

/** Safe for several processes: each row is leased to one of them. */
export function claimWebhooks(rows: number, leaseSeconds: number): Statement<ClaimedWebhook> {
  return sql<ClaimedWebhook>`
    update sandbox.payment_webhook w
    set lease_until = now() + make_interval(secs => ${leaseSeconds}::float8), fence = w.fence + 1
    from (
      select tenant_id, webhook_id from sandbox.payment_webhook
      where status = 'pending' and next_attempt_at <= now()
        and (lease_until is null or lease_until <= now())
      order by next_attempt_at limit ${rows} for update skip locked
    ) due
    where w.tenant_id = due.tenant_id and w.webhook_id = due.webhook_id
    returning w.tenant_id, w.webhook_id, w.intent_version, w.body, w.fate, w.is_fate_played,
      w.fence`
}

/** Sends one more copy, whatever the previous result; the delivery setting is not applied again. */
export function resendWebhook(tenant: string, webhook: string): Statement<{ webhook_id: string }> {
  return sql<{ webhook_id: string }>`
    update sandbox.payment_webhook set
      status = 'pending', is_fate_played = true, attempts = 0, next_attempt_at = now(),
      lease_until = null, fence = fence + 1,
      deliveries_wanted = least(deliveries_done + 1, 32767)
    where tenant_id = ${tenant}::uuid and webhook_id = ${webhook}::uuid
      and deliveries_done < 32767
    returning webhook_id`.announcing(WEBHOOKS_TOPIC)
}

export interface WebhookRow {
  readonly tenant_id: string
  readonly webhook_id: string
  readonly payment_intent_id: string
  readonly type: string
  readonly status: 'pending' | 'delivered' | 'lost' | 'dead'
  readonly fate: WebhookDelivery | null
  readonly attempts: number
  readonly deliveries_done: number
  readonly last_outcome: string | null
  readonly created_at: Date
}

export function selectRecentWebhooks(rows: number): Statement<WebhookRow> {
  return sql<WebhookRow>`
    select tenant_id, webhook_id, payment_intent_id, type, status, fate, attempts,
      deliveries_done, last_outcome, created_at
    from sandbox.payment_webhook order by created_at desc, webhook_id limit ${rows}`
}

export function pruneWebhooks(days: number, rows: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with pruned as (
      delete from sandbox.payment_webhook
      where ctid in (
        select ctid from sandbox.payment_webhook
        where created_at < now() - make_interval(days => ${days}::int)
        order by created_at limit ${rows}
      ) returning 1
    )
    select count(*)::int as pruned from pruned`
}

export interface WebhookLease {
  readonly tenant_id: string
  readonly webhook_id: string
  readonly fence: number
}

/** Applies a delivery setting that does not send now: later, or never. */
export function postponeWebhook(
  lease: WebhookLease,
  delivery: WebhookDelivery,
  delaySeconds: number,
): Statement<unknown> {
  return sql`
    update sandbox.payment_webhook set
      fate = ${delivery}, is_fate_played = true, lease_until = null,
      status = case when ${delivery} = 'lost' then 'lost' else status end,
      next_attempt_at = now() + make_interval(secs => ${delaySeconds}::float8)
    where tenant_id = ${lease.tenant_id}::uuid and webhook_id = ${lease.webhook_id}::uuid
      and fence = ${lease.fence} and status = 'pending'`
}

export interface Delivered {
  readonly delivery: WebhookDelivery
  readonly outcome: string
  /** Further copies to send. */
  readonly moreCopies: number
  readonly copyDelaySeconds: number
}

export function recordDelivery(lease: WebhookLease, delivered: Delivered): Statement<unknown> {
  const { delivery, outcome, moreCopies, copyDelaySeconds } = delivered
  return sql`
    update sandbox.payment_webhook set
      fate = ${delivery}, is_fate_played = true, lease_until = null,
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
  readonly delivery: WebhookDelivery
  readonly outcome: string
  readonly attemptsMax: number
  readonly backOffSeconds: number
  readonly backOffMaxSeconds: number
}

/**
 * Doubles the delay each time, with jitter of one half, so that receivers are not hit in bursts.
 */
export function recordFailure(lease: WebhookLease, failed: FailedDelivery): Statement<unknown> {
  return sql`
    update sandbox.payment_webhook set
      fate = ${failed.delivery}, is_fate_played = true, lease_until = null,
      attempts = attempts + 1, last_outcome = ${failed.outcome},
      status = case when attempts + 1 >= ${failed.attemptsMax} then 'dead' else 'pending' end,
      settled_at = now(),
      next_attempt_at = now() + make_interval(secs => (0.5 + random() / 2)
        * least(${failed.backOffMaxSeconds}::float8,
          ${failed.backOffSeconds}::float8 * 2 ^ least(attempts, 30)))
    where tenant_id = ${lease.tenant_id}::uuid and webhook_id = ${lease.webhook_id}::uuid
      and fence = ${lease.fence} and status = 'pending'`
}
