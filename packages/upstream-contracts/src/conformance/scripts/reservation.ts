import { newId } from '@melmastoon/domain'
import type { Script } from '../clients.ts'
import { makeQuote } from './test-data.ts'

export const reservationScript: Script = {
  upstream: 'reservation',
  async run({ clients, testHotel }) {
    const { reservation } = clients
    const { tenantId } = await testHotel()
    const quote = await makeQuote(clients, await testHotel())
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
    const next = await makeQuote(clients, await testHotel())
    const price = { quoteId: next.quoteId, expectedDigest: next.digest }
    await reservation.reprice({ params, body: price }, own)
    const confirmation = { guest, payment, expectedDigest: next.digest }
    await reservation.confirm({ params, body: confirmation }, own)
    await reservation.cancel({ params, body: { reasonCode: 'conformance' } }, own)
  },
}
