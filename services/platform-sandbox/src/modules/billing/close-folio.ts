import { appendEvents } from '@melmastoon/chassis/outbox'
import { problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Folio } from '@melmastoon/upstream-contracts/billing'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost } from '../../module.ts'
import { checkChangeable, lockFolioRow, moveFolioRow, refOf } from './change-folio.ts'
import { type BillingOperations, toSummary } from './folio.ts'
import { closedEvent } from './folio-events.ts'
import { getFolio } from './read-folios.ts'

type CloseFolio = BillingOperations['closeFolio']

/** Only a settled folio: the guests have left and nothing is due. */
export async function closeFolio(
  { db }: Pick<ModuleHost, 'db'>,
  { params, body }: InputOf<CloseFolio>,
  call: CallOf<CloseFolio>,
): Promise<Folio> {
  const { tenantId, cause } = call
  const ref = refOf(tenantId, params.folioId)
  return await db.withTenant(tenantId, async (tx) => {
    const folio = await lockFolioRow(tx, ref)
    checkChangeable(folio, body)
    if (folio.status !== 'settled') throw problem('MELMASTOON.BILLING.ILLEGAL_TRANSITION')
    const closed = toSummary(await moveFolioRow(tx, ref, { to: 'closed', body }))
    const { causationId = null } = body
    await appendEvents(tx, [closedEvent({ tenantId, folio: closed, causationId, cause })])
    return await call.finish(tx, await getFolio(tx, ref))
  })
}
