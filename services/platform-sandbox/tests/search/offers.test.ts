import { CURRENCY_CODES, idToUuid, newId } from '@melmastoon/domain'
import type { OffersResponse, StayOffer } from '@melmastoon/upstream-contracts/offers'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { searchContract } from '@melmastoon/upstream-contracts/search'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { World, WorldProperty, WorldStay } from '../../src/world/world.ts'
import {
  clientFor,
  type RunningSandbox,
  rejectionOf,
  sandboxEnvironment,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { bookerAt } from './book-offer.ts'
import { checkSearches } from './random-searches.ts'
import { day, requestOf, seedWorld, worldOf } from './start-search.ts'

const world = sellOut(worldOf(40))
let environment: TestEnvironment
let sandbox: RunningSandbox

/** Some plans are restricted, so that every reason of the contract occurs. */
beforeAll(async () => {
  environment = await sandboxEnvironment()
  await seedWorld(environment, world)
  await restrict(world.properties.slice(0, 10), 'BAR', {
    closedToArrival: [day(31)],
    closedToDeparture: [day(34)],
    minNights: 2,
  })
  await restrict(world.properties.slice(11, 12), '%', { closedToDeparture: [day(41), day(42)] })
  sandbox = await startSandbox(environment)
})
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

const pricing = () => clientFor(pricingContract, sandbox.url)
const search = () => clientFor(searchContract, sandbox.url)

/** One after the other, because a hold changes the rooms left. */
const HELD_HOTELS = 8

const party = fc.record({
  adults: fc.integer({ min: 1, max: 5 }),
  children: fc.constant(0),
  rooms: fc.integer({ min: 1, max: 3 }),
})
const stay = fc
  .tuple(fc.integer({ min: 1, max: 45 }), fc.integer({ min: 1, max: 9 }))
  .map(([from, nights]) => ({ checkIn: day(from), checkOut: day(from + nights) }))
const requested = fc.record({
  stay,
  occupancy: party,
  currency: fc.constantFrom(...CURRENCY_CODES),
})

/** Previews have neither the lines of the price nor the restrictions of the plan. */
function asPreviewed(offer: StayOffer) {
  const { minNights: _min, maxNights: _max, advanceDaysMin: _days, price, ...terms } = offer
  if (price === undefined) return terms
  const { lines: _lines, ...shown } = price
  return { ...terms, price: shown }
}

describe('C18 offers', () => {
  it('can be quoted and held exactly as shown if bookable, and not otherwise', async () => {
    const booker = bookerAt(sandbox.url)
    const seen = new Set<string>()
    const hotels = world.properties.slice(0, HELD_HOTELS)
    const samples = fc.sample(requested, { numRuns: HELD_HOTELS, seed: 11 })
    for (const [at, property] of hotels.entries()) {
      const wanted = samples[at]
      if (wanted === undefined) throw new TypeError('too few samples')
      const { propertyId } = property
      const listed = await search().offers({ params: { propertyId }, body: wanted })
      expect(listed.rooms.map(({ roomTypeId }) => roomTypeId)).toEqual(
        property.roomTypes.map(({ roomTypeId }) => roomTypeId),
      )
      for (const offer of listed.rooms.flatMap(({ offers }) => offers)) {
        seen.add(offer.reason ?? 'bookable')
        if (offer.price) await booker.expectBookable(property, wanted, offer)
        else await booker.expectRejected(property, wanted, offer)
      }
    }
    expect([...seen].toSorted()).toEqual(
      expect.arrayContaining(['bookable', 'min_nights', 'party_too_large', 'sold_out']),
    )
  })

  it('contain the price that a preview shows, with its terms', async () => {
    const hotels = fc.tuple(fc.constantFrom(...world.properties), requested)
    const check = fc.asyncProperty(
      hotels,
      fc.constantFrom('free' as const, 'partial' as const, 'any' as const),
      async ([{ propertyId }, wanted], cancellationFlexibility) => {
        const listed = await search().offers({ params: { propertyId }, body: wanted })
        const body = { ...wanted, propertyIds: [propertyId], cancellationFlexibility }
        const [preview] = (await pricing().preview({ body })).previews
        const cheapest = cheapestOf(listed, cancellationFlexibility)
        expect(preview?.status).toBe(cheapest ? 'priced' : 'unavailable')
        expect(preview?.reason === undefined).toBe(cheapest !== undefined)
        expect(preview?.offer).toEqual(cheapest && asPreviewed(cheapest))
      },
    )
    await fc.assert(check, { numRuns: 30 })
  })

  it('state the reason for each kind of rejection', async () => {
    const [restricted] = world.properties
    const { propertyId } = restricted ?? { propertyId: newId('ppt') }
    const reasonsFor = async (from: number, nights: number, code = 'BAR') => {
      const dates = { checkIn: day(from), checkOut: day(from + nights) }
      const { rooms } = await search().offers({
        params: { propertyId },
        body: { stay: dates, occupancy: { adults: 1, children: 0, rooms: 1 }, currency: 'USD' },
      })
      const reasons = rooms.flatMap(({ offers }) =>
        offers.filter(({ ratePlanCode }) => ratePlanCode === code).map(({ reason }) => reason),
      )
      return new Set(reasons)
    }
    expect(await reasonsFor(31, 2)).toEqual(new Set(['closed_to_arrival']))
    expect(await reasonsFor(32, 2)).toEqual(new Set(['closed_to_departure']))
    expect(await reasonsFor(32, 1)).toEqual(new Set(['min_nights']))
    expect(await reasonsFor(1, 2, 'NRF')).toEqual(new Set(['advance_days']))
    expect(await reasonsFor(40, 30, 'NRF')).toEqual(new Set([undefined]))
  })

  it('reject an unknown hotel, long stays and children without an age', async () => {
    const { propertyId = newId('ppt') } = world.properties[0] ?? {}
    const body = { stay: { checkIn: day(5), checkOut: day(7) }, currency: 'USD' as const }
    const occupancy = { adults: 1, children: 0, rooms: 1 }
    const offers = (id: typeof propertyId, changes: object = {}) =>
      rejectionOf(
        search().offers({ params: { propertyId: id }, body: { ...body, occupancy, ...changes } }),
      )
    expect(await offers(newId('ppt'))).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
    const invalid = 'MELMASTOON.SEARCH.STAY_INVALID'
    expect(await offers(propertyId, { stay: { checkIn: day(5), checkOut: day(36) } })).toBe(invalid)
    const children = { ...occupancy, children: 2, childrenAges: [4] }
    expect(await offers(propertyId, { occupancy: children })).toBe(invalid)
  })
})

describe('C18 the calendar', () => {
  it('shows for each day the cheapest offer of the fewest nights allowed', async () => {
    const occupancy = { adults: 2, children: 0, rooms: 1 }
    const reasons = new Set<string>()
    for (const { propertyId } of world.properties.slice(0, 2)) {
      const params = { propertyId }
      const body = { from: day(0), nights: 62, occupancy, currency: 'EUR' as const }
      const { days } = await search().stayCalendar({ params, body })
      expect(days.map(({ date }) => date)).toEqual(datesFrom(body.nights))
      for (const [at, { cheapest, reason, roomsLeft, minNights = 1 }] of days.entries()) {
        if (reason !== undefined) reasons.add(reason)
        if (at % 3 === 1) continue
        const nights = cheapest?.nights ?? minNights
        const dates = { checkIn: day(at), checkOut: day(at + nights) }
        const offers = await search()
          .offers({ params, body: { stay: dates, occupancy, currency: 'EUR' } })
          .catch(() => null)
        const expected = offers && cheapestOf(offers, 'any')
        expect(cheapest?.total).toEqual(expected?.price?.total)
        expect(cheapest?.cheapestNightly).toEqual(expected?.price?.cheapestNightly)
        expect(cheapest?.ratePlanCode).toBe(expected?.ratePlanCode)
        expect(roomsLeft).toBeGreaterThanOrEqual(cheapest ? 1 : 0)
      }
    }
    expect([...reasons]).toEqual(expect.arrayContaining(['sold_out']))
  })

  it('has the shortest stay that can be booked where some days allow no departure', async () => {
    const occupancy = { adults: 1, children: 0, rooms: 1 }
    const { propertyId = newId('ppt') } = world.properties[11] ?? {}
    const body = { from: day(38), nights: 6, occupancy, currency: 'USD' as const }
    const { days } = await search().stayCalendar({ params: { propertyId }, body })
    const isBookable = async (from: number, nights: number) => {
      const dates = { checkIn: day(from), checkOut: day(from + nights) }
      const wanted = { stay: dates, occupancy, currency: body.currency }
      const offers = await search().offers({ params: { propertyId }, body: wanted })
      return cheapestOf(offers, 'any') !== undefined
    }
    const expected = await Promise.all(
      days.map(async (_day, at) => {
        for (let nights = 1; nights <= 5; nights += 1) {
          if (await isBookable(38 + at, nights)) return nights
        }
        return undefined
      }),
    )
    expect(days.map(({ cheapest }) => cheapest?.nights)).toEqual(expected)
    expect(days.map(({ minNights }) => minNights)).toEqual(expected)
    // Arrival on day 40: one night ends on day 41 and two on day 42, without departures.
    expect(expected[2]).toBe(3)
  })
})

describe('C17 a search by price', () => {
  it('shows prices inside its filters, in order, that can be held', async () => {
    const { priced, held } = await checkSearches(sandbox.url, world, { searches: 25, holds: 5 })
    expect(priced).toBeGreaterThan(50)
    expect(held).toBeGreaterThanOrEqual(5)
  })

  it('orders and filters by what previews show, also where some hotels are sold out', async () => {
    const dates = { checkIn: day(20), checkOut: day(22) }
    const occupancy = { adults: 2, children: 0, rooms: 2 }
    const sorted = { sortKey: 'price-asc', currency: 'AFN', limit: 200 } as const
    const request = requestOf({ stay: dates, occupancy, ...sorted })
    const found = await search().query({ body: request })
    const shown = await previewTotals(found.items.map(({ propertyId }) => propertyId))
    const priced = shown.filter((total) => total !== null)
    expect(priced.length).toBeLessThan(shown.length)
    expect(shown.slice(0, priced.length)).toEqual(priced.toSorted((a, b) => Number(a - b)))
    const [low = 0n, high = 0n] = [priced[2], priced.at(-3)]
    const priceRange = {
      per: 'stay' as const,
      minMicro: String(low),
      maxMicro: String(high),
      currency: 'AFN' as const,
    }
    const within = await search().query({ body: { ...request, filters: { priceRange } } })
    expect(await previewTotals(within.items.map(({ propertyId }) => propertyId))).toEqual(
      priced.filter((total) => total >= low && total <= high),
    )

    async function previewTotals(propertyIds: WorldProperty['propertyId'][]) {
      const body = { propertyIds, stay: dates, occupancy, currency: request.currency }
      const { previews } = await pricing().preview({ body })
      return previews.map(({ totalForStay }) =>
        totalForStay === undefined ? null : BigInt(totalForStay.amountMicro),
      )
    }
  })
})

const MEETS = { free: ['free'], partial: ['free', 'partial'], any: ['free', 'partial', 'none'] }

function cheapestOf({ rooms }: OffersResponse, flexibility: keyof typeof MEETS) {
  const bookable = rooms
    .flatMap(({ offers }) => offers)
    .filter(({ price }) => price !== undefined)
    .filter(({ cancellation: { kind } }) => MEETS[flexibility].includes(kind))
  const total = (offer: StayOffer) => BigInt(offer.price?.total.amountMicro ?? 0)
  return bookable.toSorted(
    (a, b) =>
      Number(total(a) - total(b)) ||
      (a.roomTypeId < b.roomTypeId ? -1 : Number(a.roomTypeId > b.roomTypeId)) ||
      (a.ratePlanCode < b.ratePlanCode ? -1 : 1),
  )[0]
}

function datesFrom(count: number) {
  return Array.from({ length: count }, (_, at) => day(at))
}

async function restrict(hotels: readonly WorldProperty[], code: string, changes: object) {
  await environment.query(
    `update sandbox.pricing_rate_plan
       set terms = jsonb_set(terms, '{restrictions}', terms -> 'restrictions' || $3::jsonb)
       where code like $2 and property_id = any ($1::uuid[])`,
    [hotels.map(({ propertyId }) => idToUuid(propertyId)), code, JSON.stringify(changes)],
  )
}

/**
 * No guests except in the nights 20 to 24, when of four hotels one is sold out, one has a sold-out
 * room type, and one has a single room left of every type.
 */
function sellOut(empty: World): World {
  const stays = empty.properties.flatMap((property, at) => {
    const types = at % 4 === 1 ? property.roomTypes.slice(0, 1) : property.roomTypes
    if (at % 4 === 3) return []
    return types
      .map((type) => stayIn(property, type, type.rooms.length - (at % 4 === 2 ? 1 : 0)))
      .filter(({ rooms }) => rooms > 0)
  })
  return { ...empty, stays }
}

function stayIn(
  { tenantId, propertyId, currency }: WorldProperty,
  { roomTypeId }: WorldProperty['roomTypes'][number],
  rooms: number,
): WorldStay {
  return {
    reservationId: newId('rsv'),
    tenantId,
    propertyId,
    roomTypeId,
    roomId: null,
    rooms,
    checkIn: day(20),
    checkOut: day(25),
    bookedAt: `${day(-1)}T12:00:00Z`,
    status: 'confirmed',
    guestName: 'Group',
    guestLocale: 'en',
    arrivalTime: null,
    specialRequests: null,
    adults: rooms,
    children: 0,
    totalMicro: 1_000_000n,
    currency,
  }
}
