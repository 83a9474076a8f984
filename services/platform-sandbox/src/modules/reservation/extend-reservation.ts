import { problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import type { CallOf } from '../../contract-handlers.ts'
import { moveReservation } from './move-reservation.ts'
import { readReservation } from './read-reservation.ts'
import type { ReservationOperations } from './reservation.ts'
import { type ReservationHost, toHoldRejection } from './reservation-host.ts'

type Extend = ReservationOperations['extend']

/** Not a status transition, but recorded in the history. */
export async function extendReservation(
  { db, inventory }: ReservationHost,
  { params }: InputOf<Extend>,
  call: CallOf<Extend>,
): Promise<Reservation> {
  const { tenantId } = call
  return await db.withTenant(tenantId, async (tx) => {
    const reservation = await readReservation(tx, { tenantId, ...params })
    if (reservation.status === 'expired_hold') {
      throw problem('MELMASTOON.RESERVATION.HOLD_EXPIRED')
    }
    if (reservation.status !== 'held') {
      throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
    }
    const { allocationId } = reservation
    const allocation = await inventory
      .extendHold(tx, { tenantId, allocationId })
      .catch(toHoldRejection)
    const move = { to: 'held', allocation, call, reasonCode: 'extended' } as const
    return await call.finish(tx, await moveReservation(tx, reservation, move))
  })
}
