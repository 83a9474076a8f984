import type { FastRequest, FastResponder } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { planHotel } from '../../hotels/hotel-query.ts'
import { peekHotel } from '../../hotels/read-hotel.ts'
import { memoizePlans, type Preferences } from '../../search/plan-page.ts'
import { choosePublicDocument } from '../public-document.ts'
import { type HotelInput, hotelCaching, recordHotelView } from '../routes/get-hotel.ts'
import type { AdmitGuest } from './fast-guest.ts'

/** As the route has validated it. */
type KnownHotel = HotelInput & FastRequest['input']

/** The page of a hotel, as its route sends it. */
export function readyHotel(ctx: ConsumerContext, admit: AdmitGuest): FastResponder {
  // Equal URLs have the same input, so each is planned once per language and currency.
  const plan = memoizePlans(({ params, query }: HotelInput, preferences: Preferences, now: Date) =>
    planHotel({ propertyId: params.propertyId, query, preferences }, now),
  )
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
