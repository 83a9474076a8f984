import { newId } from '@melmastoon/domain'
import type { Clients, Script } from '../clients.ts'
import { findArrivals } from '../find-arrivals.ts'
import type { TestHotel } from '../find-test-hotel.ts'
import { staffChange } from './staff-change.ts'
import { makeQuote } from './test-data.ts'

export const reservationScript: Script = {
  upstream: 'reservation',
  async run({ clients, testHotel }) {
    await runGuestCalls(clients, await testHotel())
    await runStaffCalls(clients)
  },
}

/** Hold, reprice, confirm; then the staff assigns a room, and the guest cancels. */
async function runGuestCalls(clients: Clients, testHotel: TestHotel): Promise<void> {
  const { reservation } = clients
  const { tenantId } = testHotel
  const quote = await makeQuote(clients, testHotel)
  const own = { tenantId }
  const key = newId('req')
  const { quoteId, digest: expectedDigest } = quote
  const body = { quoteId, expectedDigest, draftId: newId('bdr'), guestLocale: 'en' as const }
  const { reservationId } = await reservation.hold({ body }, { ...own, key })
  const params = { reservationId }
  await reservation.get({ params }, own)
  await reservation.getByKey({ params: { key } }, own)
  await reservation.extend({ params, body: {} }, own)
  const guest = { fullName: 'Conformance', email: 'conformance@example.com' }
  const payment = { method: 'cash_on_arrival' as const }
  const next = await makeQuote(clients, testHotel)
  const price = { quoteId: next.quoteId, expectedDigest: next.digest }
  await reservation.reprice({ params, body: price }, own)
  const confirmation = { guest, payment, expectedDigest: next.digest }
  await reservation.confirm({ params, body: confirmation }, own)
  const { rooms } = await reservation.availableRooms({ params }, own)
  const roomIds = rooms.slice(0, 1).map(({ roomId }) => roomId)
  await reservation.assignRooms({ params, body: { roomIds, ...staffChange() } }, own)
  await reservation.cancel({ params, body: { reasonCode: 'conformance' } }, own)
}

/** One guest of today arrives and leaves again, another one does not arrive. */
async function runStaffCalls(clients: Clients): Promise<void> {
  const { reservation } = clients
  const { tenantId, propertyId, stays } = await findArrivals(clients, 2)
  const own = { tenantId }
  const [arriving, missing] = stays
  if (arriving === undefined || missing === undefined) return
  const { reservationId, version: expectedVersion, checkIn: from, checkOut: to } = arriving
  const params = { reservationId }
  await reservation.getStay({ params }, own)
  await reservation.checkIn({ params, body: { ...staffChange(), expectedVersion } }, own)
  await reservation.checkOut({ params, body: staffChange() }, own)
  const absent = { reservationId: missing.reservationId }
  await reservation.markNoShow({ params: absent, body: staffChange() }, own)
  await reservation.occupancy({ params: { propertyId }, query: { from, to } }, own)
}
