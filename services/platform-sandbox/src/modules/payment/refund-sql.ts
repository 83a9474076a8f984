import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IntentRef } from './intent-sql.ts'

export interface RefundRow {
  readonly refund_id: string
  readonly payment_intent_id: string
  readonly amount_micro: string
  readonly currency: string
  readonly reason_code: string
  readonly created_at: Date
}

/** The maximum per payment, which bounds the list response. */
const REFUNDS_MAX = 100

export interface NewRefund extends IntentRef {
  readonly refund: string
  readonly amountMicro: string
  readonly currency: string
  readonly reasonCode: string
}

/** Requires the lock of the payment. No row when the maximum is reached. */
export function insertRefund(row: NewRefund): Statement<RefundRow> {
  return sql<RefundRow>`
    insert into sandbox.payment_refund
      (tenant_id, refund_id, payment_intent_id, amount_micro, currency, reason_code, created_at)
    select ${row.tenant}::uuid, ${row.refund}::uuid, ${row.intent}::uuid,
      ${row.amountMicro}::bigint, ${row.currency}, ${row.reasonCode}, clock_timestamp()
    where (
      select count(*) from sandbox.payment_refund r
      where r.tenant_id = ${row.tenant}::uuid and r.payment_intent_id = ${row.intent}::uuid
    ) < ${REFUNDS_MAX}
    returning refund_id, payment_intent_id, amount_micro::text, currency, reason_code, created_at`
}

export function selectRefunds({ tenant, intent }: IntentRef): Statement<RefundRow> {
  return sql<RefundRow>`
    select refund_id, payment_intent_id, amount_micro::text, currency, reason_code, created_at
    from sandbox.payment_refund
    where tenant_id = ${tenant}::uuid and payment_intent_id = ${intent}::uuid
    order by created_at, refund_id limit ${REFUNDS_MAX}`
}
