import type { Queryable } from '@melmastoon/chassis/db'
import {
  type FolioId,
  idToUuid,
  isId,
  problem,
  type ReservationId,
  type TenantId,
  uuidToId,
} from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { Charge, Folio } from '@melmastoon/upstream-contracts/billing'
import { readFloorPlan } from '../property/module.ts'
import { selectChargeOf, selectCharges, selectPayments } from './entry-sql.ts'
import {
  type BillingOperations,
  type FolioRow,
  folioIdOf,
  toCharge,
  toFolioHistory,
  toPayment,
  toSummary,
} from './folio.ts'
import {
  type FolioRef,
  selectFolio,
  selectFolioHistory,
  selectFolioIds,
  selectFolios,
} from './folio-sql.ts'

const PAGE_MAX = 200

type ListFolios = BillingOperations['listFolios']

export async function listFolios(
  db: Queryable,
  { params, query }: InputOf<ListFolios>,
  tenantId: TenantId,
): Promise<OutputOf<ListFolios>> {
  const { status = null, limit = PAGE_MAX, cursor, reservationIds } = query
  const { propertyId } = params
  const folios = reservationIds === undefined ? null : readIds(reservationIds).map(idToUuid)
  await readFloorPlan(db, { tenantId, propertyId })
  const rows = await db.query(
    selectFolios({
      tenant: idToUuid(tenantId),
      property: idToUuid(propertyId),
      folios,
      status,
      after: cursor === undefined ? null : idToUuid(cursor),
      rows: limit + 1,
    }),
  )
  const page = rows.slice(0, limit).map(toSummary)
  const last = page.at(-1)
  return { folios: page, ...(rows.length > limit && last && { nextCursor: last.folioId }) }
}

function readIds(text: string): ReservationId[] {
  return text.split(',').map((part) => {
    if (isId('rsv', part)) return part
    const error = {
      pointer: '/reservationIds',
      code: 'pattern',
      detail: 'must be reservation ids, separated by commas',
    }
    throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors: [error] })
  })
}

export async function readFolioRow(db: Queryable, ref: FolioRef): Promise<FolioRow> {
  const [row] = await db.query(selectFolio(ref))
  if (row === undefined) throw problem('MELMASTOON.BILLING.FOLIO_NOT_FOUND')
  return row
}

export async function getFolio(db: Queryable, ref: FolioRef): Promise<Folio> {
  const row = await readFolioRow(db, ref)
  const charges = await db.query(selectCharges(ref))
  const payments = await db.query(selectPayments(ref))
  const history = await db.query(selectFolioHistory(ref))
  return {
    ...toSummary(row),
    charges: charges.map((charge) => toCharge(charge, row.currency)),
    payments: payments.map((payment) => toPayment(payment, row.currency)),
    history: history.toReversed().map(toFolioHistory),
  }
}

/** Also long after the idempotency key of the charge has expired. */
export async function findCharge(
  db: Queryable,
  ref: FolioRef,
  causationId: string,
): Promise<Charge> {
  const { currency } = await readFolioRow(db, ref)
  const [charge] = await db.query(selectChargeOf(ref, causationId))
  if (charge === undefined) throw problem('MELMASTOON.BILLING.CHARGE_NOT_FOUND')
  return toCharge(charge, currency)
}

/** The folios of these reservations, without those that have none. */
export async function existingFolios(
  db: Queryable,
  tenantId: TenantId,
  reservationIds: readonly ReservationId[],
): Promise<ReadonlyMap<ReservationId, FolioId>> {
  const folios = reservationIds.map((reservationId) => idToUuid(folioIdOf(reservationId)))
  const rows = await db.query(selectFolioIds(idToUuid(tenantId), folios))
  return new Map(rows.map(({ folio_id }) => [uuidToId('rsv', folio_id), uuidToId('fol', folio_id)]))
}
