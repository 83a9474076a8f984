import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IntentRow } from '../intent.ts'
import type { IntentRef } from './find-intent.ts'
import { intentColumns } from './intent-columns.ts'

/** A captured card payment may be given back for months; an authorization is void after a week. */
const AUTHORIZATION_DAYS = 7
/** A payment under way is not given up before its answer was due, and a while longer. */
const ANSWER_GRACE_SECONDS = 600

export interface IntentUpdate extends IntentRef {
  readonly version_before: number
  readonly status: string
  readonly captured_micro: string
  readonly refunded_micro: string
  readonly decline_code: string | null
  readonly expiry: 'kept' | 'as_authorization' | 'none'
  readonly settle_as: string | null
  readonly settle_after_seconds: number | null
}

/** Only under the locks of these rows; the versions are checked all the same. */
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
        when 'kept' then greatest(i.expires_at, now()
          + make_interval(secs => c.settle_after_seconds + ${ANSWER_GRACE_SECONDS}::float8))
        when 'as_authorization' then now() + make_interval(days => ${AUTHORIZATION_DAYS}::int) end,
      version = i.version + 1,
      updated_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify(changes)}::json) as c (tenant uuid, intent uuid,
      version_before int, status text, captured_micro bigint, refunded_micro bigint,
      decline_code text, expiry text, settle_as text, settle_after_seconds float8)
    where i.tenant_id = c.tenant and i.payment_intent_id = c.intent
      and i.version = c.version_before
    returning ${intentColumns}`
}

/** The payer must pass a second step; seen on the page only, so the version stays. */
export function challengePayer({ tenant, intent }: IntentRef): Statement<unknown> {
  return sql`
    update sandbox.payment_intent set is_challenged = true
    where tenant_id = ${tenant}::uuid and payment_intent_id = ${intent}::uuid
      and status = 'requires_action'`
}
