import type { Tx } from '@melmastoon/chassis/db'
import { idToUuid, type Problem, problem, type TenantId } from '@melmastoon/domain'
import type { Allocation } from '@melmastoon/upstream-contracts/inventory'
import type { Reservation, ReservationStatus } from '@melmastoon/upstream-contracts/reservation'
import { readReservation } from './read-reservation.ts'
import { toReservation } from './reservation.ts'
import { type MoveInput, moveReservation as moveReservationSql } from './reservation-sql.ts'

export interface ReservationMove
  extends Pick<MoveInput, 'reasonCode' | 'payment' | 'guest' | 'quote' | 'expectedDigest'> {
  readonly to: ReservationStatus
  readonly allocation: Allocation
  readonly call: {
    readonly tenantId: TenantId
    readonly caller: string
    readonly key: string
  }
}

/**
 * Requires the lock of the allocation; fails when the reservation has changed since it was read.
 */
export async function moveReservation(
  tx: Tx,
  reservation: Reservation,
  { to, allocation, call, ...details }: ReservationMove,
): Promise<Reservation> {
  const { tenantId, caller, key } = call
  const statement = moveReservationSql({
    tenant: idToUuid(tenantId),
    reservation: idToUuid(reservation.reservationId),
    from: reservation.status,
    to,
    allocation,
    caller,
    key,
    ...details,
  })
  const [row] = await tx.query(statement)
  if (row === undefined) throw await rejectionOf(tx, reservation, details.expectedDigest)
  const { noted_at, version, status, history } = row
  const reason_code = details.reasonCode ?? null
  const note = { version, status, reason_code, at: noted_at.toISOString() }
  return toReservation({ ...row, history: [...history, note] })
}

/** It was repriced or moved since it was read. A price without consent is never confirmed. */
async function rejectionOf(
  tx: Tx,
  { tenantId, reservationId }: Reservation,
  expectedDigest: string | undefined,
): Promise<Problem> {
  const { digest } = await readReservation(tx, { tenantId, reservationId })
  const isRepriced = expectedDigest !== undefined && digest !== expectedDigest
  return problem(
    isRepriced ? 'MELMASTOON.PRICING.PRICE_CHANGED' : 'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
  )
}
