import { newId, type TenantId } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import type { QuoteVM } from '../../src/quotes/quote-view.ts'
import { draftOf, expectView, payCash, quoteOf, withDetails } from '../harness/booking-flow.ts'
import { mintToken } from '../harness/handoff-token.ts'
import type { Guest, Site } from '../harness/site.ts'
import type { Booking } from '../harness/start-booking.ts'
import { hotelOf } from '../harness/stays.ts'

/** A guest of one tenant with something of every kind. */
export interface Owner {
  readonly tenantId: TenantId
  readonly hotel: PropertyDetail
  readonly guest: Guest
  readonly quote: QuoteVM
  /** With details, not paid. */
  readonly draft: DraftVM
  /** The key of the request that saved nothing but a locale. */
  readonly key: string
  readonly token: string
  readonly handoffArrivalId: string
  readonly confirmed: DraftVM
  readonly reservationId: string
}

export async function createOwner(booking: Booking, site: Site): Promise<Owner> {
  const hotel = await hotelOf(booking, site.slug)
  const { tenantId } = hotel
  await booking.platform.configure(tenantId, {
    paymentMethods: ['cash_on_arrival', 'mobile_money'],
    paymentEnabled: true,
  })
  const guest = await site.guest()
  const key = newId('req')
  await guest.post('/session/consent', { functional: true }, { key })
  const token = mintToken(hotel)
  const arrival = await guest.post('/handoff/consume', { token })
  const { handoffArrivalId } = expectView<{ handoffArrivalId: string }>(arrival, 200)
  const quote = await quoteOf(guest, hotel)
  const draft = await withDetails(guest, await draftOf(guest, hotel))
  const confirmed = await payCash(guest, await withDetails(guest, await draftOf(guest, hotel)))
  const reservationId = confirmed.outcome?.reservationId
  if (reservationId == null) throw new Error(`not confirmed: ${JSON.stringify(confirmed)}`)
  return {
    tenantId,
    hotel,
    guest,
    quote,
    draft,
    key,
    token,
    handoffArrivalId,
    confirmed,
    reservationId,
  }
}
