import { type CurrencyCode, idToUuid, newId, problem, uuidToId } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { Refund } from '@melmastoon/upstream-contracts/payment'
import type { CallOf } from '../../contract-handlers.ts'
import { readAmount } from './amount.ts'
import { showIntent } from './get-intent.ts'
import { type PaymentOperations, toInstant } from './intent.ts'
import { findIntent } from './intent-sql.ts'
import { type IntentKey, moveTaken, refOf, takeIntent } from './move-intent.ts'
import type { PaymentHost } from './payment-host.ts'
import { insertRefund, type RefundRow, selectRefunds } from './refund-sql.ts'
import { refundChange } from './state-table.ts'

type Operation = PaymentOperations['createRefund']

export async function createRefund(
  host: PaymentHost,
  { params, body }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<OutputOf<Operation>> {
  const { tenantId, cause, locale } = call
  return await host.db.withTenant(tenantId, async (tx) => {
    const before = await takeIntent(tx, { tenantId, ...params })
    const amountMicro = readAmount(body.amount, before.currency)
    const change = refundChange(before, amountMicro, body.reasonCode)
    const moving = { registry: host.registry, cause }
    const after = await moveTaken(tx, before, { change, moving })
    const [row] = await tx.query(
      insertRefund({
        ...refOf(after),
        refund: idToUuid(newId('rfd')),
        amountMicro: String(amountMicro),
        currency: after.currency,
        reasonCode: body.reasonCode,
      }),
    )
    if (row === undefined) {
      const detail = 'This payment was refunded too many times.'
      throw problem('MELMASTOON.PAYMENT.ILLEGAL_TRANSITION', { detail })
    }
    const intent = showIntent(host, after, locale)
    return await call.finish(tx, { refund: toRefund(row), intent })
  })
}

export async function listRefunds(
  host: PaymentHost,
  key: IntentKey,
): Promise<OutputOf<PaymentOperations['listRefunds']>> {
  const [known] = await host.db.tenantQuery(key.tenantId, findIntent(refOf(key)))
  if (known === undefined) throw problem('MELMASTOON.PAYMENT.INTENT_NOT_FOUND')
  const rows = await host.db.tenantQuery(key.tenantId, selectRefunds(refOf(key)))
  return { refunds: rows.map(toRefund) }
}

function toRefund(row: RefundRow): Refund {
  return {
    refundId: uuidToId('rfd', row.refund_id),
    paymentIntentId: uuidToId('pyi', row.payment_intent_id),
    amount: { amountMicro: row.amount_micro, currency: row.currency as CurrencyCode },
    reasonCode: row.reason_code,
    createdAt: toInstant(row.created_at),
  }
}
