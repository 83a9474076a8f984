import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { ChargeRow, PaymentRow } from './folio.ts'
import type { FolioRef } from './folio-sql.ts'

const chargeColumns = rawSql(`folio_id, charge_id, amount_micro::text as amount_micro, category,
  description, posted_at, voided_at, operator_id, causation_id`)

const paymentColumns = rawSql(`sequence, amount_micro::text as amount_micro, method,
  payment_intent_id, recorded_at, operator_id, causation_id`)

const ENTRIES_MAX = 1_000

export function selectCharges({ tenant, folio }: FolioRef): Statement<ChargeRow> {
  return sql<ChargeRow>`
    select ${chargeColumns} from sandbox.billing_charge
    where tenant_id = ${tenant}::uuid and folio_id = ${folio}::uuid
    order by posted_at, charge_id limit ${ENTRIES_MAX}`
}

export function selectChargeOf(
  { tenant, folio }: FolioRef,
  causation: string,
): Statement<ChargeRow> {
  return sql<ChargeRow>`
    select ${chargeColumns} from sandbox.billing_charge
    where tenant_id = ${tenant}::uuid and folio_id = ${folio}::uuid
      and causation_id = ${causation}`
}

export interface NewCharge extends FolioRef {
  readonly charge: string
  readonly amountMicro: string
  readonly category: string
  readonly description: string
  readonly operator: string | null
  readonly causation: string | null
}

export function insertCharge(charge: NewCharge): Statement<ChargeRow> {
  return sql<ChargeRow>`
    insert into sandbox.billing_charge (tenant_id, folio_id, charge_id, amount_micro, category,
      description, operator_id, causation_id)
    values (${charge.tenant}::uuid, ${charge.folio}::uuid, ${charge.charge}::uuid,
      ${charge.amountMicro}::bigint, ${charge.category}, ${charge.description},
      ${charge.operator}::uuid, ${charge.causation})
    returning ${chargeColumns}`
}

export function voidCharges({ tenant, folio }: FolioRef): Statement<unknown> {
  return sql`
    update sandbox.billing_charge set voided_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and folio_id = ${folio}::uuid and voided_at is null`
}

export function selectPayments({ tenant, folio }: FolioRef): Statement<PaymentRow> {
  return sql<PaymentRow>`
    select ${paymentColumns} from sandbox.billing_payment
    where tenant_id = ${tenant}::uuid and folio_id = ${folio}::uuid
    order by sequence limit ${ENTRIES_MAX}`
}

export interface NewPayment extends FolioRef {
  readonly amountMicro: string
  readonly currency: string
  readonly method: string
  readonly intent: string | null
  readonly operator: string | null
  readonly causation: string | null
}

/** Numbered after the last one; a concurrent payment of the same folio violates the key. */
export function insertPayment(payment: NewPayment): Statement<PaymentRow> {
  return sql<PaymentRow>`
    insert into sandbox.billing_payment (tenant_id, folio_id, sequence, amount_micro, currency,
      method, payment_intent_id, operator_id, causation_id)
    select ${payment.tenant}::uuid, ${payment.folio}::uuid, 1 + coalesce(max(p.sequence), 0),
      ${payment.amountMicro}::bigint, ${payment.currency}, ${payment.method},
      ${payment.intent}::uuid, ${payment.operator}::uuid, ${payment.causation}
    from sandbox.billing_payment p
    where p.tenant_id = ${payment.tenant}::uuid and p.folio_id = ${payment.folio}::uuid
    returning ${paymentColumns}`
}
