import { type Statement, sql } from '@melmastoon/chassis/db'
import { idToUuid, isId } from '@melmastoon/domain'
import type { PaymentWebhook } from '@melmastoon/upstream-contracts/payment'
import { isMoneyLeft } from './attempt.ts'
import { moneySeenAt } from './attempt-sql.ts'

export interface WebhookRow {
  readonly is_new: boolean
  /** Null: no payment of this tenant is meant. */
  readonly draft_id: string | null
}

/**
 * In the scope of the webhook's tenant. One statement: the delivery is recorded once, a newer
 * status is noted as a hint, and the record becomes due. The decision is made from the intent as it
 * is read later, never from this body (F8). An intent whose creation is still unknown to us is
 * found by its draft (PAY-16, PAY-17). The record is locked before the attempt, as by statements
 * that settle it: in the opposite order the two could wait for each other.
 */
export function receiveWebhook({ id, data }: PaymentWebhook): Statement<WebhookRow> {
  const { intent } = data
  const { paymentIntentId, version, status, draftRef } = intent
  const draft = isId('bdr', draftRef) ? idToUuid(draftRef) : null
  return sql<WebhookRow>`
    with seen as (
      insert into inbox (message_id, subject, processed_at)
      values (${id}, ${'payment.webhook'}, now()) on conflict (message_id) do nothing returning 1),
    meant as (
      select a.tenant_id, a.draft_id, a.no, a.intent_id from booking_payment_attempt a
      where a.intent_id = ${paymentIntentId}
        or (a.draft_id = ${draft}::uuid and a.status = 'creating' and a.intent_id is null)
      order by a.intent_id nulls last limit 1),
    locked as (
      select f.draft_id from booking_fulfilment f
      join meant on f.tenant_id = meant.tenant_id and f.draft_id = meant.draft_id
      for update of f),
    noted as (
      update booking_payment_attempt a
      set intent_status = ${status}, intent_version = ${version}::int,
        money_seen_at = ${moneySeenAt(status)}
      from meant where a.tenant_id = meant.tenant_id and a.draft_id = meant.draft_id
        and a.no = meant.no and a.intent_id is not null and a.intent_version < ${version}::int
        and exists (select from seen) and (select count(*) from locked) >= 0
      returning 1),
    due as (
      update booking_fulfilment f set next_at = booking_now()
      from meant where f.tenant_id = meant.tenant_id and f.draft_id = meant.draft_id
        and exists (select from seen)
        and (f.settled_at is null or (${isMoneyLeft(status)}::boolean
          and (f.state = 'released' or meant.intent_id is distinct from f.intent_id)))
      returning f.draft_id)
    select exists (select from seen) as is_new, (select draft_id from meant) as draft_id,
      (select count(*) from noted) as noted, (select count(*) from due) as due`
}
