import { newId } from '@melmastoon/domain'
import { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchRequest } from '../../src/modules/search/run-query.ts'
import { findCity } from '../../src/world/cities.ts'
import { clientFor, rejectionOf, send, serviceHeaders } from '../start-sandbox.ts'
import { day, requestOf, startSearch, worldOf } from './start-search.ts'

const world = worldOf(60)
let running: Awaited<ReturnType<typeof startSearch>>

beforeAll(async () => {
  running = await startSearch(world)
})
afterAll(() => running[Symbol.asyncDispose]())

const CALL = {
  caller: 'test-service',
  locale: 'en' as const,
  scenario: undefined,
  cause: {
    producerInstance: 'test',
    tenantId: null,
    requestId: newId('req'),
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    occurredAt: new Date(),
  },
}
const DAY_MS = 86_400_000

function bookedSince(propertyId: string | undefined, sinceMs: number): number {
  return world.stays.filter((stay) => {
    const isSold = stay.propertyId === propertyId && stay.status !== 'cancelled'
    return isSold && Date.parse(stay.bookedAt) > sinceMs
  }).length
}

const kabulHotels = world.properties.filter(({ city }) => city === 'kabul').length

const post = (json: unknown, path = 'queries') =>
  send(running.url, 'POST', `/upstreams/search/api/v1/search/${path}`, {
    json,
    headers: serviceHeaders(),
  })

describe('query', () => {
  it('returns listings, reasons and a next page', async () => {
    const first = await running.search.query({ body: requestOf({ limit: 5, withFacets: true }) })
    expect(first.items).toHaveLength(5)
    expect(first.total).toBeGreaterThan(50)
    expect(first.degradationLevel).toBe('none')
    expect(first.facets?.cities['kabul']).toBeGreaterThan(0)
    const { currency, buckets = [] } = first.facetRanges?.price ?? {}
    expect(currency).toBe('USD')
    expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(40)
    const [hit] = first.items
    const property = world.properties.find(({ propertyId }) => propertyId === hit?.propertyId)
    expect(hit).toMatchObject({
      name: property?.name,
      geo: { lat: property?.lat, lng: property?.lng },
      cityName: findCity(property?.city ?? '').name,
    })
    const names = Object.keys(hit?.neighbourhoodName?.localized ?? {})
    expect(names.toSorted()).toEqual(['fa-AF', 'ps-AF'])
    expect(hit?.neighbourhoodName?.default).toBe(property?.neighbourhood)
    expect(hit?.thumbnail.url).toMatch(/^http:\/\/127\.0\.0\.1:8090\/photos\/pht_\w{26}\.svg$/)
    const { nextCursor = '' } = first
    const second = await running.search.query({ body: requestOf({ limit: 5, cursor: nextCursor }) })
    const ids = [...first.items, ...second.items].map(({ propertyId }) => propertyId)
    expect(new Set(ids).size).toBe(10)
  })

  it.each(['kabul', 'Kabul', 'KABUL ', 'کابل', 'كابل', 'کَابُل', 'کـابل'])(
    'knows a city as %s',
    async (city) => {
      const geo: SearchRequest['geo'] = { mode: 'city', city }
      const { items } = await running.search.query({ body: requestOf({ geo, limit: 200 }) })
      expect(items.length).toBeGreaterThan(0)
      expect(items.length).toBeLessThanOrEqual(kabulHotels)
      expect(items.every((item) => item.city === 'kabul')).toBe(true)
    },
  )

  it.each(['balkh', 'Balkh', 'بلخ'])('knows a region as %s', async (region) => {
    const geo: SearchRequest['geo'] = { mode: 'region', region }
    const { items } = await running.search.query({ body: requestOf({ geo }) })
    expect(items.length).toBeGreaterThan(0)
    expect(items.every((item) => item.city === 'mazar-i-sharif')).toBe(true)
  })

  it('finds nothing in an unknown city', async () => {
    const geo: SearchRequest['geo'] = { mode: 'city', city: 'atlantis' }
    expect((await running.search.query({ body: requestOf({ geo }) })).total).toBe(0)
  })

  it('finds a hotel by its name in each of its scripts', async () => {
    for (const { propertyId, name } of world.properties.slice(0, 12)) {
      for (const text of [name.default, ...Object.values(name.localized)]) {
        const body = requestOf({ filters: { text }, limit: 50, stay: quietNight() })
        const { items } = await running.search.query({ body })
        expect(items.map((item) => item.propertyId)).toContain(propertyId)
      }
    }
  })

  it('sends the same bytes with and without serialized listings', async () => {
    const { lat, lng } = findCity('kabul')
    const geo: SearchRequest['geo'] = { mode: 'point', point: { lat, lng, radiusKm: 300 } }
    const body = requestOf({ geo, limit: 3, withFacets: true })
    const { query } = running.sandbox.ctx.modules.search.handlers
    const { indexedAt: _, ...found } = await query({ body }, CALL)
    const sent = await post(body)
    expect(sent.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(sent.body).toMatchObject(found)
    expect(Object.keys(sent.body).toSorted()).toEqual(
      [...Object.keys(found), 'indexedAt'].toSorted(),
    )
  })

  it('returns the distance from the requested point', async () => {
    const { lat, lng } = findCity('kabul')
    const geo: SearchRequest['geo'] = { mode: 'point', point: { lat, lng, radiusKm: 30 } }
    const { items } = await running.search.query({
      body: requestOf({ geo, sortKey: 'distance-asc' }),
    })
    const distances = items.map(({ distanceKm }) => distanceKm ?? Number.NaN)
    expect(distances).toEqual(distances.toSorted((a, b) => a - b))
    expect(distances.every((km) => km <= 30)).toBe(true)
  })
})

describe('rejects', () => {
  const box = (swLat: number, neLat: number): SearchRequest['geo'] => ({
    mode: 'bounding-box',
    boundingBox: { swLat, swLng: 60, neLat, neLng: 70 },
  })

  it.each<[string, Partial<SearchRequest>, number, string, string]>([
    ['latitudes swapped', { geo: box(40, 30) }, 422, 'AREA_INVALID', '/geo/boundingBox/swLat'],
    ['yesterday', { stay: { checkIn: day(-2), checkOut: day(1) } }, ...stayAt('checkIn')],
    ['in two years', { stay: { checkIn: day(367), checkOut: day(368) } }, ...stayAt('checkIn')],
    ['31 nights', { stay: { checkIn: day(5), checkOut: day(36) } }, ...stayAt('checkOut')],
    ['no night', { stay: { checkIn: day(5), checkOut: day(5) } }, ...stayAt('checkOut')],
    [
      'a reversed price range',
      { filters: { priceRange: { minMicro: '2', maxMicro: '1', currency: 'USD' } } },
      422,
      'PRICE_RANGE_INVALID',
      '/filters/priceRange/minMicro',
    ],
    ['a wrong cursor', { cursor: 'x' }, 400, 'CURSOR_INVALID', '/cursor'],
  ])('%s', async (_, changes, status, code, pointer) => {
    const response = await post(requestOf(changes))
    expect(response.status).toBe(status)
    expect(response.body).toMatchObject({
      code: `MELMASTOON.SEARCH.${code}`,
      errors: [{ pointer }],
    })
  })

  it('the thirtieth of February', async () => {
    const stay = { checkIn: `${day(0).slice(0, 4)}-02-30`, checkOut: day(60) }
    const response = await post({ ...requestOf(), stay })
    expect(response.body['code']).toBe('MELMASTOON.SEARCH.STAY_INVALID')
  })

  it.each([
    ['two modes at once', { mode: 'city', city: 'kabul', region: 'kabul' }],
    ['beyond the pole', { mode: 'point', point: { lat: 91, lng: 0, radiusKm: 5 } }],
    ['too wide a circle', { mode: 'point', point: { lat: 0, lng: 0, radiusKm: 501 } }],
    ['no such mode', { mode: 'planet' }],
  ])('%s', async (_, geo) => {
    const response = await post({ ...requestOf(), geo })
    expect(response.body['code']).toBe('MELMASTOON.GENERAL.VALIDATION_FAILED')
  })
})

describe('the other operations', () => {
  it('map: pins in the order of their rank', async () => {
    const { sortKey: _, ...criteria } = requestOf()
    const drawn = await running.search.map({ body: { ...criteria, limit: 200 } })
    const listed = await running.search.query({ body: requestOf({ limit: 200 }) })
    expect(drawn.pins.map(({ propertyId }) => propertyId)).toEqual(
      listed.items.map(({ propertyId }) => propertyId),
    )
    expect(drawn.total).toBe(listed.total)
  })

  it('hotel: the listing and similar ones', async () => {
    const [property] = world.properties
    const params = { propertyId: property?.propertyId ?? newId('ppt') }
    const found = await running.search.hotel({ params })
    expect(found.listing.name).toEqual(property?.name)
    expect(found.popularity).toEqual({
      bookedLast24h: bookedSince(property?.propertyId, Date.now() - DAY_MS),
      viewedLast1h: property?.popularity.viewedLast1h,
    })
    expect(found.similar).toHaveLength(4)
    expect(found.similar.map(({ propertyId }) => propertyId)).not.toContain(params.propertyId)
  })

  it('C22 hotel: the bookings of the last day, seeded and live', async () => {
    const bookings = world.properties.map(({ propertyId }) => bookedSince(propertyId, 0))
    const property = world.properties[bookings.indexOf(Math.max(...bookings))]
    if (property === undefined) throw new TypeError('a world without hotels')
    const { propertyId, tenantId, roomTypes } = property
    const read = async () => (await running.search.hotel({ params: { propertyId } })).popularity
    const before = (await read()).bookedLast24h
    expect(before).toBe(bookedSince(propertyId, Date.now() - DAY_MS))
    const inventory = clientFor(inventoryContract, running.url)
    const call = () => ({ tenantId, idempotencyKey: newId('req') })
    const items = [{ roomTypeId: roomTypes[0]?.roomTypeId ?? newId('rmt'), rooms: 1 }]
    const stay = { checkIn: day(330), checkOut: day(331) }
    const body = { propertyId, stay, items, holder: 'a guest who books' }
    const { allocationId } = await inventory.placeHold({ body }, call())
    await inventory.commitHold({ params: { allocationId }, body: {} }, call())
    await expect
      .poll(async () => (await read()).bookedLast24h, { timeout: 10_000 })
      .toBe(before + 1)
  })

  it('hotel: 404 for an unknown id', async () => {
    const params = { propertyId: newId('ppt') }
    const query = { from: day(1), to: day(2) }
    const code = 'MELMASTOON.PROPERTY.NOT_FOUND'
    expect(await rejectionOf(running.search.hotel({ params }))).toBe(code)
    expect(await rejectionOf(running.search.availability({ params, query }))).toBe(code)
  })

  it('availability: rooms per night, at most 92', async () => {
    const params = { propertyId: world.properties[0]?.propertyId ?? newId('ppt') }
    const known = await running.search.availability({
      params,
      query: { from: day(0), to: day(92) },
    })
    expect(known.nights).toHaveLength(92)
    expect(known.nights[0]?.night).toBe(day(0))
    expect(known.nights.every((night) => night.roomsLeft <= night.roomsTotal)).toBe(true)
    const long = running.search.availability({ params, query: { from: day(0), to: day(93) } })
    expect(await rejectionOf(long)).toBe('MELMASTOON.SEARCH.STAY_INVALID')
  })

  it.each([
    ['maz', 'city', 'mazar-i-sharif'],
    ['Sharif', 'city', 'mazar-i-sharif'],
    ['مزار', 'city', 'mazar-i-sharif'],
    ['هرا', 'city', 'herat'],
    ['nangar', 'region', 'nangarhar'],
    ['shahr-e n', 'neighbourhood', 'kabul/Shahr-e Naw'],
    ['شهر نو', 'neighbourhood', 'kabul/Shahr-e Naw'],
  ])('suggest: %s may be the %s %s', async (q, kind, key) => {
    const { suggestions } = await running.search.suggest({ query: { q, limit: 20 } })
    expect(suggestions).toContainEqual(expect.objectContaining({ kind, key }))
  })

  it('suggest: hotels by name, places before them, nothing for punctuation', async () => {
    const name = world.properties[0]?.name.default ?? ''
    const hotels = await running.search.suggest({ query: { q: name.slice(0, 60) } })
    expect(hotels.suggestions[0]).toMatchObject({ kind: 'property', name: { default: name } })
    const places = await running.search.suggest({ query: { q: 'kab' } })
    expect(places.suggestions[0]).toMatchObject({ kind: 'city', key: 'kabul' })
    expect(places.suggestions[0]?.properties).toBe(kabulHotels)
    expect((await running.search.suggest({ query: { q: '—' } })).suggestions).toEqual([])
  })

  it('facets: counted over all, places with their names', async () => {
    const { total, facets, names } = await running.search.facets({})
    expect(total).toBe(world.properties.length)
    expect(facets.cities['kabul']).toBe(kabulHotels)
    expect(Object.keys(names?.cities ?? {}).sort()).toEqual(Object.keys(facets.cities).sort())
    expect(names?.cities['kabul']?.localized).toMatchObject({ 'fa-AF': 'کابل' })
    expect(names?.neighbourhoods).toHaveProperty('Shahr-e Naw')
  })
})

describe('click', () => {
  it('counts once per key, and raises the popularity', async () => {
    const property = world.properties.toSorted((a, b) => a.popularity.score - b.popularity.score)[0]
    if (property === undefined) throw new TypeError('an empty world')
    const { propertyId } = property
    const key = newId('req')
    const body = { propertyId, position: 3 }
    const click = (idempotencyKey: string) => running.search.click({ body }, { idempotencyKey })
    await click(key)
    expect(await click(key)).toEqual({ accepted: true })
    const uuid = 'property_id in (select property_id from sandbox.search_popularity'
    expect(
      await running.environment.countRows('search_popularity', `${uuid} where viewed_7d = 1)`),
    ).toBe(1)
    for (let more = 0; more < 20; more += 1) await click(newId('req'))
    await expect
      .poll(async () => {
        const { popularity } = await running.search.hotel({ params: { propertyId } })
        return popularity.viewedLast1h - property.popularity.viewedLast1h
      })
      .toBe(21)
  })

  it('is rejected for an unknown hotel', async () => {
    const body = { propertyId: newId('ppt'), position: 0 }
    const click = running.search.click({ body }, { idempotencyKey: newId('req') })
    expect(await rejectionOf(click)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
  })
})

function stayAt(member: 'checkIn' | 'checkOut'): [number, string, string] {
  return [422, 'STAY_INVALID', `/stay/${member}`]
}

/** After all stays of the world: every room is available. */
function quietNight() {
  return { checkIn: day(200), checkOut: day(201) }
}
