import Fastify from 'fastify'
import { Pool } from 'undici'
import { serveCommands } from '../src/harness/serve-commands.ts'
import { composeTerms, composeTotal, serviceHeaders, toMinor } from './compose-page.mjs'

/** A hand-written gateway: Fastify, undici, the property read once, one call per request. */
async function start({ upstreams, secret, propertyId }) {
  const headers = serviceHeaders(secret)
  const pool = new Pool(new URL(upstreams.search).origin, { connections: 64 })
  const call = async (base, path, body) => {
    const response = await pool.request({
      method: body === undefined ? 'GET' : 'POST',
      path: new URL(base).pathname + path,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(2_000),
    })
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
    return response.body.json()
  }
  const property = await call(upstreams.property, `/api/v1/properties/${propertyId}`)
  const hotel = `/api/v1/search/hotels/${propertyId}`
  const app = Fastify()
  app.get('/bff/consumer/v1/hotels/:propertyId/offers', async ({ query }) => {
    const stay = { checkIn: query.checkIn, checkOut: query.checkOut }
    const request = { stay, occupancy: partyOf(query), currency: query.currency }
    return composeOffers(property, await call(upstreams.search, `${hotel}/offers`, request))
  })
  app.get('/bff/consumer/v1/hotels/:propertyId/calendar', async ({ query }) => {
    const { from, currency } = query
    const request = { from, nights: Number(query.nights), occupancy: partyOf(query), currency }
    return composeCalendar(await call(upstreams.search, `${hotel}/calendar`, request))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

function partyOf({ adults }) {
  return { adults: Number(adults), children: 0, rooms: 1 }
}

function composeOffers({ roomTypes, policies }, { rooms, paymentMethods, ...captured }) {
  const known = new Map(rooms.map((room) => [room.roomTypeId, room]))
  return {
    rates: captureOf(captured),
    rooms: roomTypes.map((room) => composeRoom(room, known.get(room.roomTypeId))),
    paymentMethods,
    policies: {
      cancellation: policies.cancellation.text.default,
      checkIn: policies.checkInTime,
      checkOut: policies.checkOutTime,
      houseRules: policies.houseRules.map(({ code, text }) => ({ code, text: text.default })),
      details: composeDetails(policies.details),
    },
  }
}

function composeDetails(details) {
  return Object.fromEntries(
    Object.entries(details).map(([name, { text, ...rest }]) => [
      name,
      { text: text.default, ...rest },
    ]),
  )
}

function composeRoom(room, offered) {
  return {
    roomTypeId: room.roomTypeId,
    kind: room.kind,
    name: room.name,
    adultsMax: room.adultsMax,
    childrenMax: room.childrenMax,
    occupancyMax: room.occupancyMax,
    sizeSqm: room.sizeSqm,
    beds: room.beds,
    photos: room.photos.map(composePhoto),
    roomsLeft: offered?.roomsLeft ?? 0,
    offers: offered?.offers.map(composeOffer) ?? [],
  }
}

function composePhoto({ url, alt, width, height, sources, category }) {
  return { url, alt: alt.default, width, height, sources, category }
}

function composeOffer(offer) {
  const { price, reason, minNights, maxNights } = offer
  return {
    ...composeTerms(offer),
    minNights,
    maxNights,
    availability: price === undefined ? { bookable: false, reason } : { bookable: true },
    price: price && { ...composeAmounts(price), ...composeTotal(price) },
  }
}

function composeAmounts({ cheapestNightly, total }) {
  return {
    cheapestNightlyMinor: toMinor(cheapestNightly),
    totalForStayMinor: toMinor(total),
    currency: total.currency,
  }
}

function composeCalendar({ days, ...captured }) {
  return {
    rates: captureOf(captured),
    days: days.map(({ date, cheapest, reason, minNights, roomsLeft }) => ({
      date,
      availability: cheapest === undefined ? { bookable: false, reason } : { bookable: true },
      minNights,
      roomsLeft,
      cheapest: cheapest && {
        nights: cheapest.nights,
        ...composeAmounts(cheapest),
        roomTypeId: cheapest.roomTypeId,
        ratePlanCode: cheapest.ratePlanCode,
      },
    })),
  }
}

function captureOf({ currencyDisplayPolicy, fxSnapshotId, capturedAt, validUntil }) {
  return {
    currencyDisplayPolicy,
    fxSnapshotId,
    capturedAt,
    ttlExpiresAt: validUntil,
    isStale: false,
  }
}

serveCommands({ start })
