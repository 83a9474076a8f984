import type { FastRequest, FastResponder } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { planHotel } from '../../hotels/hotel-query.ts'
import { peekHotel } from '../../hotels/read-hotel.ts'
import { peekHotelOffers } from '../../offers/read-hotel-offers.ts'
import { memoizePlans, type Preferences } from '../../search/plan-page.ts'
import { choosePrivatePreferences } from '../private-preferences.ts'
import { choosePublicDocument } from '../public-document.ts'
import { type HotelInput, hotelCaching, recordHotelView } from '../routes/get-hotel.ts'
import { priceCaching } from '../send-prices.ts'
import { type AdmitGuest, announceGuestLimit } from './fast-guest.ts'

/** As the route has validated it. */
type KnownHotel = HotelInput & FastRequest['input']

/** Equal URLs have the same input, so each is planned once per language and currency. */
const createPlan = () =>
  memoizePlans(({ params, query }: HotelInput, preferences: Preferences, now: Date) =>
    planHotel({ propertyId: params.propertyId, query, preferences }, now),
  )

/** The page of a hotel, as its route sends it. */
export function readyHotel(ctx: ConsumerContext, admit: AdmitGuest): FastResponder {
  const plan = createPlan()
  return (request) => {
    const admitted = admit(request, 'open')
    if (admitted === undefined) return undefined
    const input = request.input as KnownHotel
    const document = choosePublicDocument(input.query, admitted.client)
    const { preferences } = document
    const served = peekHotel(ctx, plan(input, preferences, ctx.clock.nowMs()))
    if (served === undefined) return undefined
    const { propertyId } = input.params
    recordHotelView(ctx, request, { ...admitted, served, propertyId })
    request.addHeader('content-language', preferences.locale)
    return { bytes: served.bytes, options: hotelCaching(served, document) }
  }
}

/** The offers of a hotel, as their route sends them. */
export function readyOffers(ctx: ConsumerContext, admit: AdmitGuest): FastResponder {
  const plan = createPlan()
  return (request) => {
    const admitted = admit(request, 'guarded')
    if (admitted === undefined) return undefined
    const input = request.input as KnownHotel
    const preferences = choosePrivatePreferences(admitted, input.query)
    const served = peekHotelOffers(ctx, plan(input, preferences, ctx.clock.nowMs()))
    if (served === undefined) return undefined
    announceGuestLimit(request, admitted)
    request.addHeader('content-language', preferences.locale)
    return { bytes: served.bytes, options: priceCaching(served, input.query) }
  }
}
