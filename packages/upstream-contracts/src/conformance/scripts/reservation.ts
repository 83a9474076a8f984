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
    const body = { quoteId: quote.quoteId, draftId: newId('bdr'), guestLocale: 'en' as const }
    const { reservationId } = await reservation.hold({ body }, { ...own, key })
    const params = { reservationId }
    await reservation.get({ params }, own)
    await reservation.getByKey({ params: { key } }, own)
    await reservation.extend({ params, body: {} }, own)
    const guest = { fullName: 'Conformance', email: 'conformance@example.com' }
    const payment = { method: 'cash_on_arrival' as const }
    const confirmation = { guest, payment, expectedDigest: quote.digest }
    await reservation.confirm({ params, body: confirmation }, own)
    await reservation.cancel({ params, body: { reasonCode: 'conformance' } }, own)
  },
}
