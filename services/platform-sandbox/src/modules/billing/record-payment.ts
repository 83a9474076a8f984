import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost } from '../../module.ts'
import {
  checkAmount,
  checkChangeable,
  lockFolioRow,
  moveFolioRow,
  refOf,
  statusAfter,
} from './change-folio.ts'
import { insertPayment } from './entry-sql.ts'
import { type BillingOperations, toPayment, toSummary } from './folio.ts'
import { paymentRecordedEvent } from './folio-events.ts'

type RecordPayment = BillingOperations['recordPayment']

export async function recordPayment(
  { db }: Pick<ModuleHost, 'db'>,
  { params, body }: InputOf<RecordPayment>,
  call: CallOf<RecordPayment>,
): Promise<OutputOf<RecordPayment>> {
  const { tenantId, cause } = call
  const ref = refOf(tenantId, params.folioId)
  return await db.withTenant(tenantId, async (tx) => {
    const folio = await lockFolioRow(tx, ref)
    const { amount, method, causationId, actor } = body
    checkChangeable(folio, body)
    checkAmount(folio, amount)
    const [row] = await tx.query(
      insertPayment({
        ...ref,
        ...amount,
        method,
        intent: null,
        operator: idToUuid(actor.operatorId),
        causation: causationId ?? null,
      }),
    )
    if (row === undefined) throw new TypeError('a payment was inserted but not returned')
    const to = statusAfter(folio, -BigInt(amount.amountMicro))
    const changed = toSummary(await moveFolioRow(tx, ref, { to, body }))
    const payment = toPayment(row, folio.currency)
    const change = { tenantId, folio: changed, causationId: causationId ?? null, cause }
    await appendEvents(tx, [paymentRecordedEvent(change, payment)])
    return await call.finish(tx, { payment, folio: changed })
  })
}
