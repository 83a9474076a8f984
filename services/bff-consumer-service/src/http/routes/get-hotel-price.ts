import type { App } from '@melmastoon/chassis/http'
import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { HotelPriceVM } from '../../hotels/hotel-detail.ts'
import { HotelQuery, planHotel } from '../../hotels/hotel-query.ts'
import { readHotelPrice } from '../../hotels/read-hotel-price.ts'
import { choosePrivatePreferences } from '../private-preferences.ts'
import { readRequestGuest } from '../request-guest.ts'
import { sendPrices } from '../send-prices.ts'
import { HOTEL_DEADLINE_MS } from './get-hotel.ts'
import type { Hooks } from './index.ts'

const schema = {
  params: Type.Object({ propertyId: id('ppt') }),
  querystring: HotelQuery,
  response: { 200: HotelPriceVM },
}

/** The current price of a hotel: the price on its public page may be stale (D6). */
export function getHotelPriceRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = {
    operation: 'consumer.hotel.price',
    deadlineMs: HOTEL_DEADLINE_MS,
  } as const
  const options = { config, schema }
  app.get('/bff/consumer/v1/hotels/:propertyId/price', options, async (request, reply) => {
    const { query } = request
    const preferences = choosePrivatePreferences(readRequestGuest(session, request), query)
    const { propertyId } = request.params
    const planned = planHotel({ propertyId, query, preferences }, ctx.clock.now())
    const { deadline, trace } = request
    const served = await readHotelPrice(ctx, planned, { deadline, trace })
    sendPrices(reply, served, { query, preferences })
    return reply
  })
}
