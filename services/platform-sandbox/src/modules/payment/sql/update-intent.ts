import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IntentRow } from '../intent.ts'
import type { IntentRef } from './find-intent.ts'
import { intentColumns } from './intent-columns.ts'

/** A captured card payment may be given back for months; an authorization is void after a week. */
const AUTHORIZATION_DAYS = 7
/** A payment under way is not given up before its answer was due, and a while longer. */
const ANSWER_GRACE_SECONDS = 600

export interface IntentUpdate extends IntentRef {
  readonly versionBefore: number
  readonly status: string
  readonly capturedMicro: string
  readonly refundedMicro: string
  readonly declineCode: string | null
  readonly expiry: 'kept' | 'as_authorization' | 'none'
  readonly settleAs: string | null
  readonly settleAfterSeconds: number | null
}

/** Only under the lock of `lockIntent`; the version is checked all the same. */
export function updateIntent(change: IntentUpdate): Statement<IntentRow> {
  const settleAt = sql`now() + make_interval(secs => ${change.settleAfterSeconds}::float8)`
  return sql<IntentRow>`
    update sandbox.payment_intent i set
      status = ${change.status},
      captured_micro = ${change.capturedMicro}::bigint,
      refunded_micro = ${change.refundedMicro}::bigint,
      decline_code = ${change.declineCode},
      settle_as = ${change.settleAs},
      settle_at = ${settleAt},
      expires_at = case ${change.expiry}
        when 'kept' then greatest(i.expires_at,
          ${settleAt} + make_interval(secs => ${ANSWER_GRACE_SECONDS}::float8))
        when 'as_authorization' then now() + make_interval(days => ${AUTHORIZATION_DAYS}::int) end,
      version = i.version + 1,
      updated_at = clock_timestamp()
    where i.tenant_id = ${change.tenant}::uuid and i.payment_intent_id = ${change.intent}::uuid
      and i.version = ${change.versionBefore}
    returning ${intentColumns}`
}

/** The payer must pass a second step; seen on the page only, so the version stays. */
export function challengePayer({ tenant, intent }: IntentRef): Statement<unknown> {
  return sql`
    update sandbox.payment_intent set is_challenged = true
    where tenant_id = ${tenant}::uuid and payment_intent_id = ${intent}::uuid
      and status = 'requires_action'`
}
