import { type App, sendCached } from '@melmastoon/chassis/http'
import { id } from '@melmastoon/upstream-contracts'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { HotelPriceVM } from '../../hotels/hotel-detail.ts'
import { HotelQuery, planHotel } from '../../hotels/hotel-query.ts'
import { readHotelPrice, type ServedPrice } from '../../hotels/read-hotel-price.ts'
import { choosePublicDocument, type PublicDocument } from '../public-document.ts'
import { HOTEL_DEADLINE_MS } from './get-hotel.ts'

const schema = {
  params: Type.Object({ propertyId: id('ppt') }),
  querystring: HotelQuery,
  response: { 200: HotelPriceVM },
}

/** The current price of a hotel: the price on its public page may be stale (D6). */
export function getHotelPriceRoute(app: App, ctx: ConsumerContext) {
  const config = { operation: 'consumer.hotel.price', deadlineMs: HOTEL_DEADLINE_MS }
  const options = { config, schema }
  app.get('/bff/consumer/v1/hotels/:propertyId/price', options, async (request, reply) => {
    const { query } = request
    const document = choosePublicDocument(query, request)
    const { propertyId } = request.params
    const { preferences } = document
    const planned = planHotel({ propertyId, query, preferences }, ctx.clock.now())
    const { deadline, trace } = request
    send(reply, await readHotelPrice(ctx, planned, { deadline, trace }), document)
    return reply
  })
}

function send(reply: FastifyReply, served: ServedPrice, { caching }: PublicDocument): void {
  if (served.kind === 'none') {
    reply.header('cache-control', 'no-store').send(served.price)
    return
  }
  const { bytes, origin, maxAgeSeconds } = served
  const freshness = maxAgeSeconds === 0 ? 'no-cache' : `max-age=${maxAgeSeconds}`
  sendCached(reply, bytes, {
    ...caching,
    cacheControl: `private, ${freshness}`,
    servedFor: origin,
  })
}
