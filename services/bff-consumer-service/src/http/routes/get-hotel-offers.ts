import type { App } from '@melmastoon/chassis/http'
import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { HotelQuery, planHotel } from '../../hotels/hotel-query.ts'
import { HotelOffersVM } from '../../offers/hotel-offers.ts'
import { peekHotelOffers, readHotelOffers } from '../../offers/read-hotel-offers.ts'
import { choosePrivatePreferences } from '../private-preferences.ts'
import { readRequestGuest } from '../request-guest.ts'
import { sendPrices } from '../send-prices.ts'
import { HOTEL_DEADLINE_MS } from './get-hotel.ts'
import type { Hooks } from './index.ts'

const schema = {
  params: Type.Object({ propertyId: id('ppt') }),
  querystring: HotelQuery,
  response: { 200: HotelOffersVM },
}

/** All rooms and rate plans of a hotel for a stay; a document in memory needs no promise. */
export function getHotelOffersRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = {
    operation: 'consumer.hotel.offers',
    deadlineMs: HOTEL_DEADLINE_MS,
  } as const
  const options = { config, schema }
  app.get('/bff/consumer/v1/hotels/:propertyId/offers', options, (request, reply) => {
    const { query } = request
    const preferences = choosePrivatePreferences(readRequestGuest(session, request), query)
    const asked = { query, preferences }
    const { propertyId } = request.params
    const planned = planHotel({ propertyId, query, preferences }, ctx.clock.now())
    const warm = peekHotelOffers(ctx, planned)
    if (warm !== undefined) return sendPrices(reply, warm, asked)
    const { deadline, trace } = request
    return readHotelOffers(ctx, planned, { deadline, trace }).then((served) =>
      sendPrices(reply, served, asked),
    )
  })
}
