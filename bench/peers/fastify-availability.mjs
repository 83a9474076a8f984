import Fastify from 'fastify'
import { Pool } from 'undici'
import { serveCommands } from '../src/harness/serve-commands.ts'
import { serviceHeaders, toMinor } from './compose-page.mjs'

const CURRENCY = 'AED'

/** A hand-written gateway: Fastify, undici, the hotel read once, two calls per request. */
async function start({ url, secret, tenantId, propertyId, path }) {
  const pool = new Pool(url, { connections: 64 })
  const headers = { ...serviceHeaders(secret), 'x-tenant-id': tenantId }
  const call = async (target, body) => {
    const response = await pool.request({
      method: body === undefined ? 'GET' : 'POST',
      path: `/upstreams${target}`,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(2_000),
    })
    if (response.statusCode !== 200) throw new Error(`${target}: ${response.statusCode}`)
    return response.body.json()
  }
  const { roomTypes } = await call(`/property/api/v1/properties/${propertyId}`)
  const app = Fastify()
  app.get(path, async ({ query }) => {
    const { checkIn, checkOut } = query
    const occupancy = { adults: Number(query.adults), children: 0, rooms: 1 }
    const stay = { checkIn, checkOut }
    const wanted = { propertyId, stay, occupancy, currency: CURRENCY, plans: 'all' }
    const nights = `propertyId=${propertyId}&from=${checkIn}&to=${checkOut}`
    const [{ rates }, { roomTypes: left }] = await Promise.all([
      call('/pricing/api/v1/pricing/rates/cheapest', wanted),
      call(`/inventory/api/v1/inventory/availability?${nights}`),
    ])
    return { rooms: roomTypes.map((room) => composeRoom(room, rates, left)) }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

function composeRoom(room, rates, left) {
  const { roomTypeId } = room
  const nights = left.find((each) => each.roomTypeId === roomTypeId)?.nights ?? []
  return {
    roomTypeId,
    name: room.name,
    adultsMax: room.adultsMax,
    childrenMax: room.childrenMax,
    beds: room.beds,
    photos: room.photos.map(({ url, alt }) => ({ url, alt: alt.default })),
    roomsLeft: Math.min(...nights.map(({ available }) => available)),
    rates: rates.filter((rate) => rate.roomTypeId === roomTypeId).map(composeRate),
  }
}

function composeRate(rate) {
  const { ratePlanId, ratePlanCode, ratePlanName, category, board, cancellation, digest } = rate
  return {
    ratePlanId,
    ratePlanCode,
    ratePlanName: ratePlanName.default,
    category,
    board,
    cancellation,
    digest,
    nightlyMinor: toMinor(rate.nightly),
  }
}

serveCommands({ start })
