import { LOCALES, type LocalizedText, textFor } from '@melmastoon/domain'
import { messagesOf } from '@melmastoon/domain/messages'
import { eventually } from '@melmastoon/testkit'
import { AMENITY_CODES } from '@melmastoon/upstream-contracts/search'
import fc from 'fast-check'
import { r1, s1, s2 } from 's2js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HotelAvailability } from '../../src/availability/read-availability.ts'
import { FacetCatalog } from '../../src/facets/facet-catalog.ts'
import { SearchMap } from '../../src/map/map-schema.ts'
import { type Suggestion, Suggestions } from '../../src/suggestions/suggestion-schema.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { KABUL, mapRequest, pinsOf, searchMap, WHOLE_WORLD } from '../harness/map-client.ts'
import { type ListedHotel, openListings } from '../harness/sandbox-listings.ts'
import {
  createGuest,
  dayFromNow,
  get,
  post,
  searchRequest,
  sectionsOf,
} from '../harness/start-consumer.ts'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'

/** Positions without hotels in the seed: the edges of the coordinate system. */
const FAR_OUT = [
  { lat: 0, lng: 180 },
  { lat: -16.5, lng: -180 },
  { lat: -16.80171, lng: 179.99999 },
  { lat: -16.80171, lng: -179.99999 },
  { lat: -17.7, lng: 177.4 },
  { lat: -13.8, lng: -171.8 },
  { lat: 66.5, lng: -179.5 },
  { lat: 89.99, lng: 12.3 },
  { lat: 89.99999, lng: -135 },
  { lat: -89.99, lng: 0 },
  { lat: -77.84654, lng: 166.66824 },
  { lat: 0, lng: 0 },
]

let setup: Awaited<ReturnType<typeof startWithSandbox>>
let listings: Awaited<ReturnType<typeof openListings>>
let hotels: ListedHotel[]
let guest: Awaited<ReturnType<typeof createGuest>>

beforeAll(async () => {
  setup = await startWithSandbox()
  guest = await createGuest(setup.service.url)
  listings = await openListings(setup.sandbox.ctx.config.databaseUrl)
  await listings.freeAll()
  await listings.build(FAR_OUT)
  hotels = await listings.all()
  await eventually(async () => {
    if (totalOf(await requestMap(WHOLE_WORLD)) !== hotels.length) throw new Error('not indexed yet')
  })
}, 120_000)
afterAll(async () => {
  await listings[Symbol.asyncDispose]()
  await setup[Symbol.asyncDispose]()
})

const POLL_SLOWLY = { timeout: 15_000, interval: 100 }
type AmenityCode = (typeof AMENITY_CODES)[number]
type Box = typeof WHOLE_WORLD
type Drawn = Awaited<ReturnType<typeof requestMap>>

let requests = 0
/** Never a cached map: each request has other dates, and calls the search service. */
async function requestMap(box: Box) {
  requests += 1
  const arrival = 10 + (requests % 300)
  const nights = 1 + (Math.floor(requests / 300) % 28)
  const dates = { checkIn: dayFromNow(arrival), checkOut: dayFromNow(arrival + nights) }
  const occupancy = { adults: 1, children: 0, rooms: 1 }
  const { cookie } = guest
  return searchMap(setup.service.url, mapRequest({ occupancy, dates }, box), {
    headers: { cookie },
  })
}

const totalOf = ({ body }: Drawn) => body['total']
const idsOf = (response: Drawn) => pinsOf(response).map(({ propertyId }) => propertyId as string)

const RADIANS = Math.PI / 180

function within({ swLat, swLng, neLat, neLng }: Box): string[] {
  const lats = new r1.Interval(swLat * RADIANS, neLat * RADIANS)
  const rect = new s2.Rect(lats, longitudes(swLng, neLng))
  return hotels
    .filter(({ lat, lng }) => rect.containsLatLng(s2.LatLng.fromDegrees(lat, lng)))
    .map(({ propertyId }) => propertyId)
}

/** S2 has one longitude for the antimeridian and treats a box from 180 to -180 as empty. */
function longitudes(swLng: number, neLng: number) {
  if (swLng === 180 && neLng === -180) return s1.Interval.fromEndpoints(Math.PI, Math.PI)
  return s1.Interval.fromEndpoints(swLng * RADIANS, neLng * RADIANS)
}

const anywhere = (limit: number) =>
  fc.integer({ min: -limit * 1e5, max: limit * 1e5 }).map((units) => units / 1e5)

/** Corners on hotels and on the edges of the coordinate system make boundary cases frequent. */
function corner(name: 'lat' | 'lng', limit: number): fc.Arbitrary<number> {
  return fc.oneof(
    anywhere(limit),
    fc.constantFrom(-limit, limit, 0),
    fc.nat().map((at) => hotels[at % hotels.length]?.[name] ?? 0),
    fc.nat().map((at) => FAR_OUT[at % FAR_OUT.length]?.[name] ?? 0),
  )
}

const boxes = () =>
  fc
    .record({
      a: corner('lat', 90),
      b: corner('lat', 90),
      swLng: corner('lng', 180),
      neLng: corner('lng', 180),
    })
    .map(({ a, b, swLng, neLng }) => ({
      swLat: Math.min(a, b),
      neLat: Math.max(a, b),
      swLng,
      neLng,
    }))

/** The longest texts that pass our own validation, before normalisation. */
const LONGEST = ['İ'.repeat(40), '\u0958'.repeat(40), '😀'.repeat(80), ' \n' + 'ß'.repeat(78)]

describe('the longest valid texts', () => {
  it.each(LONGEST)('%s are accepted by the search service', async (text) => {
    const { url } = setup.service
    const suggested = await get(url, `/suggest?q=${encodeURIComponent(text)}&locale=en`)
    expect(suggested.status).toBe(200)
    for (const geo of [
      { mode: 'city', city: text },
      { mode: 'region', region: text },
    ]) {
      const filters = { neighbourhoods: [text] }
      const found = await post(url, '/search', { json: searchRequest({ geo, filters }) })
      expect(found.status, found.text).toBe(200)
    }
  })
})

describe('C3 compared with S2, with the search service of the sandbox', () => {
  it('any box contains exactly the pins within it', async () => {
    let crossing = 0
    let found = 0
    await fc.assert(
      fc.asyncProperty(boxes(), async (box) => {
        const expected = within(box)
        const response = await requestMap(box)
        expect(idsOf(response).toSorted()).toEqual(expected.toSorted())
        expect(response.body).toMatchObject({ total: expected.length, truncated: false })
        if (box.swLng > box.neLng) crossing += 1
        if (expected.length > 0) found += 1
      }),
      { numRuns: 120 },
    )
    expect(crossing).toBeGreaterThan(15)
    expect(found).toBeGreaterThan(40)
  })

  it('a box that is one point contains the hotel at that point', async () => {
    for (const { propertyId, lat, lng } of hotels.slice(0, 15)) {
      const response = await requestMap({ swLat: lat, swLng: lng, neLat: lat, neLng: lng })
      expect(idsOf(response)).toContain(propertyId)
    }
  })

  it.each([
    ['across the antimeridian', { swLat: -20, swLng: 177, neLat: -10, neLng: -170 }, 5],
    ['up to the antimeridian from the west', { swLat: -17, swLng: 179, neLat: -16, neLng: 180 }, 2],
    ['from the antimeridian to the east', { swLat: -17, swLng: -180, neLat: -16, neLng: -179 }, 2],
    ['the antimeridian itself', { swLat: -90, swLng: 180, neLat: 90, neLng: -180 }, 2],
    ['around the north pole', { swLat: 89, swLng: -180, neLat: 90, neLng: 180 }, 2],
    ['around the south pole', { swLat: -90, swLng: -180, neLat: -77, neLng: 180 }, 2],
  ])('%s', async (_where, box, least) => {
    const response = await requestMap(box)
    expect(idsOf(response).toSorted()).toEqual(within(box).toSorted())
    expect(idsOf(response).length).toBeGreaterThanOrEqual(least)
  })

  it('matches the view model and has the colours of the hotels', async () => {
    const response = await requestMap(KABUL)
    expect(closedCheck(SearchMap)(response.body)).toEqual([])
    expect(new Set(pinsOf(response).map((pin) => pin['brandColor'])).size).toBeGreaterThan(1)
  })

  it('prices the targeted pin as a list would', async () => {
    const [target] = pinsOf(await requestMap(KABUL))
    const json = mapRequest({ targetPropertyId: target?.propertyId, currency: 'USD' })
    const response = await searchMap(setup.service.url, json)
    const priced = pinsOf(response).filter((pin) => pin.currency !== undefined)
    expect(priced).toMatchObject([{ propertyId: target?.propertyId, currency: 'USD' }])
  })
})

const getPath = (path: string) => get(setup.service.url, path)
const suggestionsFor = async (query: string) => {
  const response = await getPath(`/suggest?${query}`)
  expect(closedCheck(Suggestions)(response.body)).toEqual([])
  return response.body['suggestions'] as Suggestion[]
}

describe('with the search service of the sandbox', () => {
  it('C5 nights are those of the projection; all others are free', async () => {
    const [hotel] = hotels
    if (hotel === undefined) throw new Error('no hotels')
    await listings.book(hotel.propertyId, dayFromNow(0), [3, 1, 0])
    const path = `/hotels/${hotel.propertyId}/availability?from=${dayFromNow(0)}&to=${dayFromNow(5)}`
    const { cache } = setup.service.ctx
    await eventually(async () => {
      await cache.invalidate([`listing:${hotel.propertyId}`])
      const { body } = await getPath(path)
      expect(closedCheck(HotelAvailability)(body)).toEqual([])
      const nights = body['nights'] as { roomsLeft: number; roomsTotal: number }[]
      expect(nights.slice(0, 3).map(({ roomsLeft }) => roomsLeft)).toEqual([3, 1, 0])
      expect(nights.slice(3).every((night) => night.roomsLeft === night.roomsTotal)).toBe(true)
    })
  })

  it('C18 the calendar has the shortest stay that the offers of the hotel allow', async () => {
    const propertyId = await listings.closeDepartures([dayFromNow(41), dayFromNow(42)])
    const query = 'adults=1&locale=en&currency=USD'
    const shortest = async (from: number) => {
      for (let nights = 1; nights <= 6; nights += 1) {
        const stay = `checkIn=${dayFromNow(from)}&checkOut=${dayFromNow(from + nights)}`
        const { body } = await getPath(`/hotels/${propertyId}/offers?${stay}&${query}`)
        const { rooms } = body as { rooms: { offers: { availability: { bookable: boolean } }[] }[] }
        const offers = rooms.flatMap((room) => room.offers)
        if (offers.some(({ availability }) => availability.bookable)) return nights
      }
      return undefined
    }
    const path = `/hotels/${propertyId}/calendar?from=${dayFromNow(39)}&nights=4&${query}`
    await eventually(async () => {
      await setup.service.ctx.cache.invalidate([`listing:${propertyId}`])
      const days = (await getPath(path)).body['days'] as { minNights?: number }[]
      const expected = await Promise.all(days.map((_day, at) => shortest(39 + at)))
      expect(expected[1]).toBeGreaterThanOrEqual(3)
      expect(days.map(({ minNights }) => minNights)).toEqual(expected)
    })
  })

  it('suggestions for a few letters can be searched for, in any script', async () => {
    for (const [typed, locale, name] of [
      ['kab', 'en', 'Kabul'],
      ['کاب', 'fa-AF', 'کابل'],
      ['KABU', 'ps-AF', 'کابل'],
    ]) {
      const query = new URLSearchParams({ q: typed ?? '', locale: locale ?? '' })
      const [first] = await suggestionsFor(String(query))
      expect(first).toMatchObject({ kind: 'city', key: 'kabul', name })
      const found = await guest.search(mapRequest({ geo: first?.geoQuery }))
      expect(found.body['total']).toBeGreaterThan(0)
    }
  })

  it('C19 the count of a suggestion for a stay is the total of its search', async () => {
    const [checkIn, checkOut] = [dayFromNow(20), dayFromNow(22)]
    const stay = { checkIn, checkOut, adults: '2', children: '0', rooms: '1', locale: 'en' }
    const texts = ['', 'kabul', 'Qandahar', 'Bamiyan', 'shahr-e naw', 'Buddhas of Bamyan', 'Kabbul']
    let compared = 0
    for (const q of texts) {
      const suggested = await suggestionsFor(String(new URLSearchParams({ ...stay, q })))
      for (const { count, geoQuery, filters, key } of suggested) {
        if (geoQuery === undefined) continue
        const request = { geo: geoQuery, dates: { checkIn, checkOut }, ...(filters && { filters }) }
        const found = await guest.search({ ...mapRequest(request), occupancy: { adults: 2 } })
        expect([key, found.body['total']]).toEqual([key, count])
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(10)
  })

  it('C19 a search by another spelling finds the place; a typing error proposes it', async () => {
    const search = (city: string) => guest.search(mapRequest({ geo: { mode: 'city', city } }))
    const spelled = await search('Qandahar')
    expect(spelled.body['place']).toMatchObject({ key: 'kandahar', countryName: 'Afghanistan' })
    const mistyped = await search('Kandajar')
    expect(mistyped.body).toMatchObject({ total: 0, items: [] })
    const [proposed] = mistyped.body['alternatives'] as Record<string, unknown>[]
    expect(proposed).toMatchObject({ key: 'kandahar', because: 'similar_name' })
  })

  it('facets count every hotel and name every city in the requested language', async () => {
    const response = await getPath('/facets?locale=fa-AF&currency=AFN')
    expect(response.body['amenities']).toContainEqual(
      expect.objectContaining({ value: 'wifi', label: 'وای‌فای رایگان' }),
    )
    expect(response.body['propertyType']).toContainEqual(
      expect.objectContaining({ value: 'guesthouse', label: 'مهمان‌خانه' }),
    )
    const amenities = response.body['amenities'] as { value: string }[]
    const codes: readonly string[] = AMENITY_CODES
    expect(amenities.filter(({ value }) => !codes.includes(value))).toEqual([])
    expect(closedCheck(FacetCatalog)(response.body)).toEqual([])
    expect(response.body['total']).toBe(hotels.length)
    const cities = response.body['cities'] as { label: string; count: number }[]
    expect(cities.reduce((sum, { count }) => sum + count, 0)).toBe(hotels.length)
    expect(cities.every(({ label }) => /\p{Script=Arabic}/u.test(label))).toBe(true)
  })

  it('C20 C21 hotels name their amenities as the labels do, in every language', async () => {
    const { propertyId } = await listings.owned()
    const { body } = await getPath(`/hotels/${propertyId}?locale=en&currency=AFN`)
    const amenities = body['amenities'] as { code: AmenityCode; name: LocalizedText }[]
    expect(amenities.length).toBeGreaterThan(3)
    for (const { code, name } of amenities) {
      const labels = LOCALES.map((locale) => messagesOf(locale)[`labels.amenity.${code}`])
      expect(LOCALES.map((locale) => textFor(name, locale))).toEqual(labels)
    }
  })

  it('C12 a suspended tenant is on no map, in no suggestion and has no nights', async () => {
    const { tenantId, propertyId } = await listings.owned()
    const card = await getPath(`/hotels/${propertyId}`)
    const { name } = (card.body as { property: { name: { default: string } } }).property
    const query = new URLSearchParams({ q: name.default, locale: 'en', limit: '20' })
    const nights = `/hotels/${propertyId}/availability?from=${dayFromNow(1)}&to=${dayFromNow(2)}`
    const isPinned = async (request: object) =>
      idsOf(await searchMap(setup.service.url, request)).includes(propertyId)
    const seen = async () => ({
      pinned: await isPinned(mapRequest({}, WHOLE_WORLD)),
      suggested: (await suggestionsFor(String(query))).some(({ key }) => key === propertyId),
      availability: (await getPath(nights)).status,
    })
    expect(await seen()).toEqual({ pinned: true, suggested: true, availability: 200 })
    await setup.tenants.suspend(tenantId)
    const GONE = { pinned: false, suggested: false, availability: 404 }
    await expect.poll(seen, POLL_SLOWLY).toEqual(GONE)
    await setup.tenants.reactivate(tenantId)
    // A map may have been cached before the projection had the hotel again: each is a new one.
    let neLat = WHOLE_WORLD.neLat
    const isBack = async () => {
      neLat -= 0.01
      return await isPinned(mapRequest({}, { ...WHOLE_WORLD, neLat }))
    }
    await expect.poll(isBack, POLL_SLOWLY).toBe(true)
    await expect.poll(async () => (await getPath(nights)).status, POLL_SLOWLY).toBe(200)
  })
})

describe('F-1 the search service of the sandbox down', () => {
  afterEach(() => setup.sandbox.ctx.scenarios.restoreAll())

  it('cached maps are served, others are an error; after the recovery all are served', async () => {
    const { scenarios } = setup.sandbox.ctx
    const known = mapRequest({}, { swLat: -20, swLng: 177, neLat: -10, neLng: -170 })
    // An event of the previous test may arrive late and invalidate every map: then retry.
    const stays = async () => {
      await scenarios.restoreAll()
      await searchMap(setup.service.url, known)
      await scenarios.setFault({ upstream: 'search', operation: null, fault: { kind: 'down' } })
      return (await searchMap(setup.service.url, known)).status
    }
    await expect.poll(stays, POLL_SLOWLY).toBe(200)
    const unknown = await requestMap(KABUL)
    expect([unknown.status, unknown.body['code']]).toEqual([
      503,
      'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE',
    ])
    await scenarios.restoreAll()
    const sections = async () => sectionsOf(await requestMap(KABUL))
    await expect.poll(sections, POLL_SLOWLY).toEqual({ listings: 'fresh', brands: 'fresh' })
  })
})

describe('C3 the densest city', () => {
  it('C20 a city with more than 250 hotels has clusters whose counts add up to the total', async () => {
    const street = Array.from({ length: 400 }, (_, at) => ({ lat: 34.51 + at / 1e5, lng: 69.18 }))
    await listings.build(street)
    hotels = await listings.all()
    const expected = within(KABUL)
    expect(expected.length).toBeGreaterThan(400)
    await expect
      .poll(async () => totalOf(await requestMap(KABUL)), POLL_SLOWLY)
      .toBe(expected.length)
    const response = await requestMap(KABUL)
    expect(response.body).toMatchObject({ truncated: true, degraded: false })
    const pins = idsOf(response)
    const clusters = response.body['clusters'] as { count: number }[]
    expect(pins.filter((id) => !expected.includes(id))).toEqual([])
    expect(pins.length + clusters.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length)
    expect(pins.length + clusters.length).toBeLessThanOrEqual(250)
  })
})
