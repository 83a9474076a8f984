import type { Queryable } from '@melmastoon/chassis/db'
import {
  idToUuid,
  type PropertyId,
  problem,
  type ReservationId,
  type TenantId,
  uuidToId,
} from '@melmastoon/domain'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import { type ReservationRow, toReservation } from './reservation.ts'
import { selectActiveHolds, selectReservation, selectReservationByKey } from './reservation-sql.ts'

export interface ReservationRef {
  readonly tenantId: TenantId
  readonly reservationId: ReservationId
}

export async function readReservation(
  db: Queryable,
  { tenantId, reservationId }: ReservationRef,
): Promise<Reservation> {
  const rows = await db.query(selectReservation(idToUuid(tenantId), idToUuid(reservationId)))
  return onlyOne(rows)
}

/** For a caller whose request timed out: looks up the result by its idempotency key. */
export async function readReservationByKey(
  db: Queryable,
  tenantId: TenantId,
  call: { readonly caller: string; readonly key: string },
): Promise<Reservation> {
  const rows = await db.query(selectReservationByKey(idToUuid(tenantId), call))
  return onlyOne(rows)
}

const HOLDS_MAX = 10

export interface ActiveHold {
  readonly reservationId: ReservationId
  readonly code: string
  readonly expiresAt: Date
}

export async function readActiveHolds(
  db: Queryable,
  propertyId: PropertyId,
): Promise<readonly ActiveHold[]> {
  const rows = await db.query(selectActiveHolds(idToUuid(propertyId), HOLDS_MAX))
  return rows.map((row) => ({
    reservationId: uuidToId('rsv', row.reservation_id),
    code: row.code,
    expiresAt: row.hold_expires_at,
  }))
}

function onlyOne([row]: readonly ReservationRow[]): Reservation {
  if (row === undefined) throw problem('MELMASTOON.RESERVATION.NOT_FOUND')
  return toReservation(row)
}
