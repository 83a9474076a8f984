import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { IntentRow } from './intent.ts'

/** The columns of an `IntentRow`; the table alias is `i`. */
const intentColumns = rawSql(`
  i.tenant_id, i.payment_intent_id, i.reservation_id, i.draft_ref, i.method, i.capture_mode,
  i.provider, i.status, i.currency, i.amount_micro::text, i.captured_micro::text, i.refunded_micro::text,
  i.decline_code, i.card_token, i.phone_ref, i.is_challenged, i.return_url, i.secret_hash,
  i.webhook_fate, i.settle_as, i.version, i.created_at, i.updated_at, i.expires_at,
  coalesce(i.expires_at <= clock_timestamp(), false) as is_overdue`)

export interface IntentRef {
  readonly tenant: string
  readonly intent: string
}

export function findIntent({ tenant, intent }: IntentRef): Statement<IntentRow> {
  return sql<IntentRow>`
    select ${intentColumns} from sandbox.payment_intent i
    where i.tenant_id = ${tenant}::uuid and i.payment_intent_id = ${intent}::uuid`
}

export interface RequestRef {
  readonly tenant: string
  readonly caller: string
  readonly key: string
}

export function findIntentByKey({ tenant, caller, key }: RequestRef): Statement<IntentRow> {
  return sql<IntentRow>`
    select ${intentColumns} from sandbox.payment_intent i
    where i.tenant_id = ${tenant}::uuid and i.created_by = ${caller} and i.request_key = ${key}`
}

/** Locked until the end of the transaction: transitions of one payment are serialized. */
export function lockIntent({ tenant, intent }: IntentRef): Statement<IntentRow> {
  return sql<IntentRow>`
    select ${intentColumns} from sandbox.payment_intent i
    where i.tenant_id = ${tenant}::uuid and i.payment_intent_id = ${intent}::uuid
    for update`
}

export interface NewIntent {
  readonly tenant: string
  readonly intent: string
  readonly reservation: string | null
  readonly draftRef: string
  readonly method: string
  readonly provider: string
  readonly captureMode: string
  readonly status: string
  readonly currency: string
  readonly amountMicro: string
  readonly cardToken: string | null
  readonly phoneRef: string | null
  readonly isChallenged: boolean
  readonly returnUrl: string | null
  readonly secretHash: string
  readonly webhookDelivery: string | null
  readonly settleAs: string | null
  readonly settleAfterSeconds: number | null
  /** Null: it does not expire. */
  readonly expireAfterSeconds: number | null
  readonly caller: string
  readonly key: string
}

/** Some responses are due later, without a request. */
export const INTENTS_TOPIC = 'payment-intents'

/** No row when this caller has used the key before. */
export function insertIntent(row: NewIntent): Statement<IntentRow> {
  return sql<IntentRow>`
    insert into sandbox.payment_intent as i (tenant_id, payment_intent_id, reservation_id,
      draft_ref, method, provider, capture_mode, status, currency, amount_micro, card_token, phone_ref,
      is_challenged, return_url, secret_hash, webhook_fate, settle_as, settle_at, expires_at,
      created_by, request_key)
    values (${row.tenant}::uuid, ${row.intent}::uuid, ${row.reservation}::uuid, ${row.draftRef},
      ${row.method}, ${row.provider}, ${row.captureMode}, ${row.status}, ${row.currency},
      ${row.amountMicro}::bigint, ${row.cardToken}, ${row.phoneRef}, ${row.isChallenged},
      ${row.returnUrl}, ${row.secretHash}, ${row.webhookDelivery}, ${row.settleAs},
      now() + make_interval(secs => ${row.settleAfterSeconds}::float8),
      now() + make_interval(secs => ${row.expireAfterSeconds}::float8),
      ${row.caller}, ${row.key})
    on conflict (tenant_id, created_by, request_key) do nothing
    returning ${intentColumns}`.announcing(INTENTS_TOPIC)
}

/** A captured card payment can be refunded for months; an authorization is void after a week. */
const AUTHORIZATION_DAYS = 7
/** A payment in progress does not expire before its response was due, plus a grace period. */
const ANSWER_GRACE_SECONDS = 600

export interface IntentUpdate extends IntentRef {
  readonly version_before: number
  readonly status: string
  readonly captured_micro: string
  readonly refunded_micro: string
  readonly decline_code: string | null
  readonly expiry: 'retained' | 'as_authorization' | 'none'
  readonly settle_as: string | null
  readonly settle_after_seconds: number | null
}

/** Requires the locks of these rows; the versions are checked nevertheless. */
export function updateIntents(changes: readonly IntentUpdate[]): Statement<IntentRow> {
  return sql<IntentRow>`
    update sandbox.payment_intent i set
      status = c.status,
      captured_micro = c.captured_micro,
      refunded_micro = c.refunded_micro,
      decline_code = c.decline_code,
      settle_as = c.settle_as,
      settle_at = now() + make_interval(secs => c.settle_after_seconds),
      expires_at = case c.expiry
        when 'retained' then greatest(i.expires_at, now()
          + make_interval(secs => c.settle_after_seconds + ${ANSWER_GRACE_SECONDS}::float8))
        when 'as_authorization' then now() + make_interval(days => ${AUTHORIZATION_DAYS}::int) end,
      version = i.version + 1,
      updated_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify(changes)}::json) as c (tenant uuid, intent uuid,
      version_before int, status text, captured_micro bigint, refunded_micro bigint,
      decline_code text, expiry text, settle_as text, settle_after_seconds float8)
    where i.tenant_id = c.tenant and i.payment_intent_id = c.intent
      and i.version = c.version_before
    returning ${intentColumns}`.announcing(INTENTS_TOPIC)
}

/** The payer must complete a second step; visible only on the page, so the version stays. */
export function challengePayer({ tenant, intent }: IntentRef): Statement<unknown> {
  return sql`
    update sandbox.payment_intent set is_challenged = true
    where tenant_id = ${tenant}::uuid and payment_intent_id = ${intent}::uuid
      and status = 'requires_action'`
}

/** The card that the payer has chosen on the page; it decides captures and webhooks from now on. */
export function chooseCard(
  { tenant, intent }: IntentRef,
  token: string,
  delivery: string | null,
): Statement<unknown> {
  return sql`
    update sandbox.payment_intent
    set card_token = ${token}, webhook_fate = coalesce(${delivery}, webhook_fate)
    where tenant_id = ${tenant}::uuid and payment_intent_id = ${intent}::uuid
      and status = 'requires_action' and card_token is null`
}

/** Payments in progress whose response is due; each is locked separately afterwards. */
export function selectDueIntents(rows: number): Statement<IntentRef> {
  return sql<IntentRef>`
    select tenant_id as tenant, payment_intent_id as intent from sandbox.payment_intent
    where settle_at <= now() and status = 'processing' and expires_at > now()
    order by settle_at limit ${rows}`
}

/**
 * Locked until the end of the transaction; rows locked by another transaction are skipped until the
 * next run.
 */
export function lockOverdueIntents(rows: number): Statement<IntentRow> {
  return sql<IntentRow>`
    select ${intentColumns} from sandbox.payment_intent i
    where i.expires_at <= now() and i.status in ('requires_action', 'processing', 'authorized')
    order by i.expires_at limit ${rows} for update skip locked`
}

export function selectRecentIntents(rows: number): Statement<IntentRow> {
  return sql<IntentRow>`
    select ${intentColumns} from sandbox.payment_intent i
    order by i.created_at desc, i.payment_intent_id limit ${rows}`
}
