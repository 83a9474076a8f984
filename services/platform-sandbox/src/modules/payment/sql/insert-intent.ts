import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IntentRow } from '../intent.ts'
import { intentColumns } from './intent-columns.ts'

export interface NewIntent {
  readonly tenant: string
  readonly intent: string
  readonly reservation: string | null
  readonly draftRef: string
  readonly method: string
  readonly captureMode: string
  readonly status: string
  readonly currency: string
  readonly amountMicro: string
  readonly cardToken: string | null
  readonly phoneRef: string | null
  readonly isChallenged: boolean
  readonly returnUrl: string | null
  readonly secretHash: string
  readonly webhookFate: string | null
  readonly settleAs: string | null
  readonly settleAfterSeconds: number | null
  /** Null: it does not expire by itself. */
  readonly expireAfterSeconds: number | null
  readonly caller: string
  readonly key: string
}

/** No row when this caller has used the key before. */
export function insertIntent(row: NewIntent): Statement<IntentRow> {
  return sql<IntentRow>`
    insert into sandbox.payment_intent as i (tenant_id, payment_intent_id, reservation_id,
      draft_ref, method, capture_mode, status, currency, amount_micro, card_token, phone_ref,
      is_challenged, return_url, secret_hash, webhook_fate, settle_as, settle_at, expires_at,
      created_by, request_key)
    values (${row.tenant}::uuid, ${row.intent}::uuid, ${row.reservation}::uuid, ${row.draftRef},
      ${row.method}, ${row.captureMode}, ${row.status}, ${row.currency},
      ${row.amountMicro}::bigint, ${row.cardToken}, ${row.phoneRef}, ${row.isChallenged},
      ${row.returnUrl}, ${row.secretHash}, ${row.webhookFate}, ${row.settleAs},
      now() + make_interval(secs => ${row.settleAfterSeconds}::float8),
      now() + make_interval(secs => ${row.expireAfterSeconds}::float8),
      ${row.caller}, ${row.key})
    on conflict (tenant_id, created_by, request_key) do nothing
    returning ${intentColumns}`
}
