import { type App, addHeader, sendCached } from '@melmastoon/chassis/http'
import { id } from '@melmastoon/upstream-contracts'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { HotelPriceVM } from '../../hotels/hotel-detail.ts'
import { HotelQuery, planHotel } from '../../hotels/hotel-query.ts'
import { readHotelPrice, type ServedPrice } from '../../hotels/read-hotel-price.ts'
import { choosePrivatePreferences, varyOf } from '../private-preferences.ts'
import { readRequestGuest } from '../request-guest.ts'
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
    responseHeaders: ['Content-Language'],
  } as const
  const options = { config, schema }
  app.get('/bff/consumer/v1/hotels/:propertyId/price', options, async (request, reply) => {
    const { query } = request
    const preferences = choosePrivatePreferences(readRequestGuest(session, request), query)
    const { propertyId } = request.params
    const planned = planHotel({ propertyId, query, preferences }, ctx.clock.now())
    const { deadline, trace } = request
    const served = await readHotelPrice(ctx, planned, { deadline, trace })
    addHeader(reply, 'content-language', preferences.locale)
    send(reply, served, varyOf(query))
    return reply
  })
}

function send(reply: FastifyReply, served: ServedPrice, vary: { vary?: string }): void {
  if (served.kind === 'none') {
    reply.header('cache-control', 'no-store').send(served.price)
    return
  }
  const { bytes, origin, maxAgeSeconds } = served
  const freshness = maxAgeSeconds === 0 ? 'no-cache' : `max-age=${maxAgeSeconds}`
  sendCached(reply, bytes, {
    cacheControl: `private, ${freshness}`,
    ...vary,
    servedFor: origin,
  })
}
