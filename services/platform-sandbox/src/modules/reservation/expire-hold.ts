import { newId } from '@melmastoon/domain'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import { ownHold } from './confirm-reservation.ts'
import { moveReservation } from './move-reservation.ts'
import { type ReservationRef, readReservation } from './read-reservation.ts'
import { type ReservationHost, toHoldRejection } from './reservation-host.ts'

/** The caller in the history. */
const CALLER = 'control-room'

/** For simulations: the hold ends now, and then expires like any other. */
export async function expireHold(
  { db, inventory }: ReservationHost,
  ref: ReservationRef,
): Promise<Reservation> {
  const { tenantId } = ref
  const ended = await db.withTenant(tenantId, async (tx) => {
    const reservation = await readReservation(tx, ref)
    const { allocationId } = reservation
    const ending = inventory.endHold(tx, { tenantId, allocationId })
    const allocation = await ending.catch(toHoldRejection)
    const call = { tenantId, caller: CALLER, key: newId('req') }
    const move = { to: 'held', allocation, call, reasonCode: 'ended_early' } as const
    return await moveReservation(tx, reservation, move)
  })
  await inventory.reclaim(tenantId, ownHold(ended))
  return await readReservation(db.scoped(tenantId), ref)
}
