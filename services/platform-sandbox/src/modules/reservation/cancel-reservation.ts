import { appendEvents } from '@melmastoon/chassis/outbox'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import type { CallOf } from '../../contract-handlers.ts'
import { allocationEvents } from '../inventory/module.ts'
import { moveReservation } from './move-reservation.ts'
import { readReservation } from './read-reservation.ts'
import type { ReservationOperations } from './reservation.ts'
import { cancelledEvent } from './reservation-events.ts'
import { type ReservationHost, toIllegalMove } from './reservation-host.ts'
import { checkMove } from './transitions.ts'

type Cancel = ReservationOperations['cancel']

export async function cancelReservation(
  { db, inventory }: ReservationHost,
  { params, body }: InputOf<Cancel>,
  call: CallOf<Cancel>,
): Promise<Reservation> {
  const { tenantId, cause } = call
  const { reasonCode } = body
  return await db.withTenant(tenantId, async (tx) => {
    const reservation = await readReservation(tx, { tenantId, ...params })
    checkMove(reservation.status, 'cancelled')
    const { allocationId, status: from } = reservation
    const releasing = inventory.releaseHold(tx, { tenantId, allocationId })
    const allocation = await releasing.catch((error: unknown) => {
      throw toIllegalMove(error)
    })
    const move = { to: 'cancelled', allocation, call, reasonCode } as const
    const cancelled = await moveReservation(tx, reservation, move)
    await appendEvents(tx, [
      ...allocationEvents('released', allocation, cause),
      cancelledEvent(cancelled, { from, reasonCode }, cause),
    ])
    return await call.finish(tx, cancelled)
  })
}
