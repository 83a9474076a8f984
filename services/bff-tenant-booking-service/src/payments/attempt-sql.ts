import { rawSql, type SqlFragment, sql } from '@melmastoon/chassis/db'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import { type DraftId, idToUuid, type Locale, type PaymentIntentId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { Intent, IntentStatus } from '@melmastoon/upstream-contracts/payment'
import type { AttemptRef, PaymentAttempt } from './attempt.ts'

/** An attempt as JSON, because a draft is read together with all of its attempts. */
interface AttemptJson {
  readonly no: number
  readonly key: string
  readonly cancel_key: string
  readonly refund_key: string
  readonly refund_no: number
  readonly intent_id: PaymentIntentId | null
  readonly method: PaymentAttempt['method']
  readonly provider: string | null
  readonly capture_mode: PaymentAttempt['captureMode']
  readonly digest: string
  readonly amount_micro: string
  readonly currency: Intent['amount']['currency']
  readonly return_url: string | null
  readonly phone_ref: string | null
  readonly locale: Locale | null
  readonly confirm_requested_at: string | null
  readonly status: PaymentAttempt['status']
  readonly intent_status: IntentStatus | null
  readonly intent_version: number
  readonly decline_code: string | null
  readonly next_action: Intent['nextAction']
  readonly role: PaymentAttempt['role']
  readonly refunded_micro: string
}

export type AttemptsJson = readonly AttemptJson[]

/** Correlated with the draft `d`; big integers as text, because JSON numbers lose digits. */
export const ATTEMPTS_JSON = rawSql(`coalesce((
  select json_agg(to_jsonb(a) || jsonb_build_object('amount_micro', a.amount_micro::text,
    'refunded_micro', a.refunded_micro::text) order by a.no)
  from booking_payment_attempt a where a.tenant_id = d.tenant_id and a.draft_id = d.id), '[]')`)

export function toAttempts(rows: AttemptsJson): PaymentAttempt[] {
  return rows.map((row) => ({
    no: row.no,
    key: row.key,
    cancelKey: row.cancel_key,
    refundKey: row.refund_key,
    refundNo: row.refund_no,
    intentId: row.intent_id,
    method: row.method,
    provider: row.provider,
    captureMode: row.capture_mode,
    digest: row.digest,
    amount: { amountMicro: row.amount_micro, currency: row.currency },
    returnUrl: row.return_url,
    phoneRef: row.phone_ref,
    locale: row.locale,
    isConfirmRequested: row.confirm_requested_at !== null,
    status: row.status,
    intentStatus: row.intent_status,
    intentVersion: row.intent_version,
    declineCode: row.decline_code,
    nextAction: row.next_action,
    role: row.role,
    refundedMicro: row.refunded_micro,
  }))
}

/** The keys of all later calls are stored before the first one. */
export function insertAttempt(
  { tenantId, draftId }: Omit<AttemptRef, 'no'>,
  attempt: PaymentAttempt,
  onlyIf: SqlFragment,
): SqlFragment {
  return sql`insert into booking_payment_attempt (tenant_id, draft_id, no, key, cancel_key,
      refund_key, method, capture_mode, digest, amount_micro, currency, return_url, phone_ref,
      locale, created_at)
    select ${idToUuid(tenantId)}::uuid, ${idToUuid(draftId)}::uuid, ${attempt.no}::smallint,
      ${attempt.key}, ${attempt.cancelKey}, ${attempt.refundKey}, ${attempt.method},
      ${attempt.captureMode}, ${attempt.digest}, ${attempt.amount.amountMicro}::bigint,
      ${attempt.amount.currency}, ${attempt.returnUrl}, ${attempt.phoneRef},
      ${attempt.locale}, booking_now()
    where ${onlyIf} returning 1`
}

/**
 * Writes what a claim knows. The status of the intent stays if a newer one was noted meanwhile: the
 * next claim reads it.
 */
export function updateAttempt(
  { tenantId, draftId, no }: AttemptRef,
  attempt: PaymentAttempt,
  onlyIf: SqlFragment,
): SqlFragment {
  const isNewest = sql`a.intent_version <= ${attempt.intentVersion}::int`
  return sql`update booking_payment_attempt a set intent_id = ${attempt.intentId},
      provider = ${attempt.provider}, status = ${attempt.status},
      intent_status = case when ${isNewest} then ${attempt.intentStatus} else a.intent_status end,
      intent_version = greatest(a.intent_version, ${attempt.intentVersion}::int),
      money_seen_at = ${moneySeenAt(attempt.intentStatus)},
      decline_code = ${attempt.declineCode}, cancel_key = ${attempt.cancelKey},
      next_action = ${JSON.stringify(attempt.nextAction)}::jsonb, role = ${attempt.role},
      refund_key = ${attempt.refundKey}, refund_no = ${attempt.refundNo}::smallint,
      refunded_micro = ${attempt.refundedMicro}::bigint
    where a.tenant_id = ${idToUuid(tenantId)}::uuid and a.draft_id = ${idToUuid(draftId)}::uuid
      and a.no = ${no}::smallint and ${onlyIf}
    returning 1`
}

/** When money was first seen, on the row `a`. */
export function moneySeenAt(status: IntentStatus | null): SqlFragment {
  const hasArrived = status === 'captured' || status === 'authorized'
  return hasArrived ? rawSql('coalesce(a.money_seen_at, booking_now())') : rawSql('a.money_seen_at')
}

export interface Adoption {
  readonly events: readonly OutboxEvent[]
  readonly onlyIf: SqlFragment
  /** The name that the surrounding statement gives to the first fragment. */
  readonly resultName: string
}

/** Stores the id of a created intent, and its event once, whichever process stores it first. */
export function adoptIntent(
  ref: AttemptRef,
  attempt: PaymentAttempt,
  { events, onlyIf, resultName }: Adoption,
): SqlFragment[] {
  const isAdopted = sql`exists (select from ${rawSql(resultName)})`
  return [
    updateAttempt(ref, attempt, sql`a.intent_id is null and ${onlyIf}`),
    appendEventsFragment(events, { onlyIf: isAdopted }),
  ]
}

/** The guest asks to book with the cash they have promised; other payments need no request. */
export function requestConfirm(draftId: DraftId, isOwn: SqlFragment): SqlFragment {
  return sql`update booking_payment_attempt a
    set confirm_requested_at = coalesce(a.confirm_requested_at, booking_now())
    where a.draft_id = ${idToUuid(draftId)}::uuid and a.method = 'cash_on_arrival'
      and a.status in ('creating', 'open', 'paid') and ${isOwn}
    returning 1`
}

/** The payment service has definitely not created an intent for it. */
export function closeAttempt({ draftId, no }: AttemptRef): SqlFragment {
  return sql`update booking_payment_attempt a set status = 'closed'
    where a.draft_id = ${idToUuid(draftId)}::uuid and a.no = ${no}::smallint
      and a.status = 'creating' and a.intent_id is null`
}
