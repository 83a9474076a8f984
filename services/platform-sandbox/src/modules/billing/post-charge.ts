import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, newId, problem } from '@melmastoon/domain'
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
import { insertCharge, selectChargeOf } from './entry-sql.ts'
import { type BillingOperations, toCharge, toSummary } from './folio.ts'
import { chargePostedEvent } from './folio-events.ts'

type PostCharge = BillingOperations['postCharge']

/** A cause that has posted its charge gets that charge again: nothing is charged twice. */
export async function postCharge(
  { db }: Pick<ModuleHost, 'db'>,
  { params, body }: InputOf<PostCharge>,
  call: CallOf<PostCharge>,
): Promise<OutputOf<PostCharge>> {
  const { tenantId, cause } = call
  const ref = refOf(tenantId, params.folioId)
  if (call.scenario === 'folio-closed') throw problem('MELMASTOON.BILLING.FOLIO_CLOSED')
  return await db.withTenant(tenantId, async (tx) => {
    const folio = await lockFolioRow(tx, ref)
    const { currency } = folio
    const { amount, category, description, causationId, actor } = body
    if (causationId !== undefined) {
      const [posted] = await tx.query(selectChargeOf(ref, causationId))
      const known = posted && { charge: toCharge(posted, currency), folio: toSummary(folio) }
      if (known) return await call.finish(tx, known)
    }
    checkChangeable(folio, body)
    checkAmount(folio, amount)
    const [row] = await tx.query(
      insertCharge({
        ...ref,
        charge: idToUuid(newId('chg')),
        amountMicro: amount.amountMicro,
        category,
        description,
        operator: idToUuid(actor.operatorId),
        causation: causationId ?? null,
      }),
    )
    if (row === undefined) throw new TypeError('a charge was inserted but not returned')
    const to = statusAfter(folio, BigInt(amount.amountMicro))
    const changed = toSummary(await moveFolioRow(tx, ref, { to, body }))
    const charge = toCharge(row, currency)
    const change = { tenantId, folio: changed, causationId: causationId ?? null, cause }
    await appendEvents(tx, [chargePostedEvent(change, charge)])
    return await call.finish(tx, { charge, folio: changed })
  })
}
