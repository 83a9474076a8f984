import { type App, sendCached } from '@melmastoon/chassis/http'
import { id } from '@melmastoon/upstream-contracts'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { askHotel } from '../../hotels/ask-hotel.ts'
import { HotelPriceVM } from '../../hotels/hotel-detail.ts'
import { HotelQuery } from '../../hotels/hotel-query.ts'
import { readPrice, type ServedPrice } from '../../hotels/read-price.ts'
import { choosePublicDocument, type PublicDocument } from '../public-document.ts'
import { HOTEL_DEADLINE_MS } from './get-hotel.ts'

const schema = {
  params: Type.Object({ propertyId: id('ppt') }),
  querystring: HotelQuery,
  response: { 200: HotelPriceVM },
}

/** The price on a hotel's page, which is public and may be old, as it is now (D6). */
export function getHotelPriceRoute(app: App, ctx: ConsumerContext) {
  const config = { operation: 'consumer.hotel.price', deadlineMs: HOTEL_DEADLINE_MS }
  const options = { config, schema }
  app.get('/bff/consumer/v1/hotels/:propertyId/price', options, async (request, reply) => {
    const { query } = request
    const document = choosePublicDocument(query, request)
    const { propertyId } = request.params
    const { preferences } = document
    const question = askHotel({ propertyId, query, preferences }, ctx.clock.now())
    const { deadline, trace } = request
    send(reply, await readPrice(ctx, question, { deadline, trace }), document)
    return reply
  })
}

function send(reply: FastifyReply, served: ServedPrice, { caching }: PublicDocument): void {
  if (served.kind === 'none') {
    reply.header('cache-control', 'no-store').send(served.price)
    return
  }
  const { bytes, origin, maxAgeSeconds } = served
  const keeping = maxAgeSeconds === 0 ? 'no-cache' : `max-age=${maxAgeSeconds}`
  sendCached(reply, bytes, {
    ...caching,
    cacheControl: `private, ${keeping}`,
    servedFor: origin,
  })
}
