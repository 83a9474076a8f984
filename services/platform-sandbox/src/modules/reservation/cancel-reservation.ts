import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Allocation } from '@melmastoon/upstream-contracts/inventory'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import type { CallOf } from '../../contract-handlers.ts'
import { allocationEvents } from '../inventory/module.ts'
import { moveReservation } from './move-reservation.ts'
import { readReservation } from './read-reservation.ts'
import type { ReservationOperations } from './reservation.ts'
import { cancelledEvent } from './reservation-events.ts'
import { isHoldExpired, type ReservationHost, toIllegalMove } from './reservation-host.ts'
import { checkMove } from './transitions.ts'

type Cancel = ReservationOperations['cancel']

/** The rooms of an expired hold are already released: only the reservation changes. */
export async function cancelReservation(
  host: ReservationHost,
  { params, body }: InputOf<Cancel>,
  call: CallOf<Cancel>,
): Promise<Reservation> {
  const { tenantId, cause } = call
  const { reasonCode } = body
  return await host.db.withTenant(tenantId, async (tx) => {
    const found = await readReservation(tx, { tenantId, ...params })
    checkMove(found.status, 'cancelled')
    const { reservation, allocation } = await releaseRooms(host, tx, found)
    const { status: from } = reservation
    const move = { to: 'cancelled', allocation, call, reasonCode } as const
    const cancelled = await moveReservation(tx, reservation, move)
    await appendEvents(tx, [
      ...(from === 'expired_hold' ? [] : allocationEvents('released', allocation, cause)),
      cancelledEvent(cancelled, { from, reasonCode }, cause),
    ])
    return await call.finish(tx, cancelled)
  })
}

interface Released {
  /** As it was before the cancellation. */
  readonly reservation: Reservation
  readonly allocation: Allocation
}

async function releaseRooms(
  host: ReservationHost,
  tx: Tx,
  reservation: Reservation,
): Promise<Released> {
  const { inventory } = host
  const { tenantId, allocationId, reservationId, status } = reservation
  const hold = { tenantId, allocationId }
  if (status === 'expired_hold') {
    return { reservation, allocation: await inventory.readHold(tx, hold) }
  }
  try {
    return { reservation, allocation: await inventory.releaseHold(tx, hold) }
  } catch (error) {
    if (!isHoldExpired(error)) throw toIllegalMove(error)
  }
  // The hold expired after the reservation was read; a confirmation may have taken other rooms.
  const again = await readReservation(tx, { tenantId, reservationId })
  checkMove(again.status, 'cancelled')
  return await releaseRooms(host, tx, again)
}
