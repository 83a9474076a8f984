import { problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import type { CallOf } from '../../contract-handlers.ts'
import { moveReservation } from './move-reservation.ts'
import { priceChanged } from './price-changed.ts'
import { readReservation } from './read-reservation.ts'
import type { ReservationOperations } from './reservation.ts'
import { type ReservationHost, toHoldRejection } from './reservation-host.ts'

type Reprice = ReservationOperations['reprice']

/**
 * Replaces quote, digest and total of a hold together; the rooms and their expiry stay. Not a
 * status transition, but recorded in the history.
 */
export async function repriceReservation(
  { db, inventory, pricing }: ReservationHost,
  { params, body }: InputOf<Reprice>,
  call: CallOf<Reprice>,
): Promise<Reservation> {
  const { tenantId } = call
  return await db.withTenant(tenantId, async (tx) => {
    const { allocationId } = await readReservation(tx, { tenantId, ...params })
    const hold = { tenantId, allocationId }
    const allocation = await inventory.lockHold(tx, hold).catch(toHoldRejection)
    // Read again under the lock, so that a concurrent change of the price is seen.
    const before = await readReservation(tx, { tenantId, ...params })
    const quote = await pricing.quoteById(tx, body.quoteId)
    checkSameRooms(before, quote)
    if (quote.digest !== body.expectedDigest) throw priceChanged(quote, before.total)
    const move = { to: 'held', allocation, call, reasonCode: 'repriced', quote } as const
    const repriced = await moveReservation(tx, before, move)
    if (before.quoteId !== undefined && before.quoteId !== quote.quoteId) {
      await pricing.releasePromotion(tx, before.quoteId)
    }
    return await call.finish(tx, repriced)
  })
}

function checkSameRooms(reservation: Reservation, quote: Quote): void {
  const isSame =
    reservation.propertyId === quote.propertyId &&
    reservation.stay.checkIn === quote.stay.checkIn &&
    reservation.stay.checkOut === quote.stay.checkOut &&
    countRooms(reservation.items) ===
      countRooms(quote.rooms.map(({ roomTypeId, quantity }) => ({ roomTypeId, rooms: quantity })))
  if (!isSame) throw problem('MELMASTOON.RESERVATION.QUOTE_MISMATCH')
}

/** A quote may list a room type more than once. */
function countRooms(items: Reservation['items']): string {
  const counts = new Map<string, number>()
  for (const { roomTypeId, rooms } of items) {
    counts.set(roomTypeId, (counts.get(roomTypeId) ?? 0) + rooms)
  }
  return JSON.stringify([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
