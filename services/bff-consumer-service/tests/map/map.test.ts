import { newId } from '@melmastoon/domain'
import { beforeAll, describe, expect, it } from 'vitest'
import { SearchMap } from '../../src/map/map-schema.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { KABUL, mapRequest, pinsOf, searchMap, WHOLE_WORLD } from '../harness/map-client.ts'
import {
  disableSampling,
  eventNames,
  finishBackgroundWork,
  publishedEvents,
} from '../harness/published-events.ts'
import { searchKeyOf } from '../harness/session-client.ts'
import { cookieOf, createGuest, dayFromNow, sectionsOf } from '../harness/start-consumer.ts'
import { useFixture } from '../harness/use-fixture.ts'

const fixture = useFixture()
const { clock } = fixture

let nights = 0
/** A map that no test has requested yet. */
const fresh = (over: Record<string, unknown> = {}, box = KABUL) => {
  nights += 1
  const from = 5 + Math.floor(nights / 25)
  const dates = { checkIn: dayFromNow(from), checkOut: dayFromNow(from + 1 + (nights % 25)) }
  return mapRequest({ dates, ...over }, box)
}
const requestMap = (json: unknown, headers: Record<string, string> = {}) =>
  searchMap(fixture.service.url, json, { headers })
const hotelAt = (at: number) => {
  const hotel = fixture.upstreams.hotels[at]
  if (hotel === undefined) throw new Error('unknown hotel')
  return hotel
}
const requestCount = (path: string) =>
  fixture.upstreams.requests.filter((sent) => sent.path.includes(path)).length

describe('C3 a map', () => {
  it('has exactly one pin per hotel, and no price that was not requested', async () => {
    const response = await requestMap(fresh())
    expect(response.status).toBe(200)
    expect(closedCheck(SearchMap)(response.body)).toEqual([])
    expect(response.body).toMatchObject({ total: 12, truncated: false, degraded: false })
    expect(sectionsOf(response)).toEqual({ listings: 'fresh', brands: 'fresh' })
    expect(pinsOf(response)).toEqual(
      fixture.upstreams.hotels.slice(0, 12).map(({ propertyId }) => ({
        propertyId,
        geo: { lat: 34.5, lng: 69.2 },
        brandColor: '#005f56',
      })),
    )
    expect(fixture.upstreams.count('pricing')).toBe(0)
  })

  it('C20 has on each pin whether the stay can be booked, where it is known', async () => {
    const amount = (amountMicro: string) => ({
      cheapestNightly: { amountMicro, currency: 'AFN' },
    })
    const known = [
      amount('2500000000'),
      { reason: 'sold_out' },
      { reason: 'not_enough_rooms', roomsLeft: 2 },
      amount('2500000001'),
      {},
    ]
    const pins = known.map((offer, at) => {
      const { propertyId, tenantId } = hotelAt(at)
      return { propertyId, tenantId, geo: { lat: 34.5, lng: 69.2 }, ...offer }
    })
    fixture.upstreams.searchExtra = { pins, total: pins.length }
    const response = await requestMap(fresh())
    expect(closedCheck(SearchMap)(response.body)).toEqual([])
    expect(response.body['pinPrices']).toMatchObject({ isStale: false })
    const seen = pinsOf(response).map((pin) => [pin['availability'], pin['shownPrice']])
    expect(seen).toEqual([
      [{ bookable: true }, { nightlyMinor: 250_000, currency: 'AFN' }],
      [{ bookable: false, reason: 'sold_out' }, undefined],
      [{ bookable: false, reason: 'not_enough_rooms', roomsLeft: 2 }, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  it('requests up to 250 pins in the box, for the stay, in the language and currency of the guest', async () => {
    const request = fresh({ filters: { amenities: ['wifi'] }, locale: 'ps-AF', currency: 'USD' })
    await requestMap(request)
    const [sent] = fixture.upstreams.requests
    expect(sent?.body).toEqual({
      geo: request['geo'],
      stay: request['dates'],
      occupancy: { adults: 2, children: 0, rooms: 1 },
      filters: { amenities: ['wifi'] },
      currency: 'USD',
      limit: 250,
    })
    expect(sent?.headers).toMatchObject({ 'accept-language': 'ps-AF', 'x-currency': 'USD' })
  })

  it('reports that there are more hotels than pins', async () => {
    fixture.upstreams.searchExtra = { total: 300 }
    expect((await requestMap(fresh())).body).toMatchObject({ total: 300, truncated: true })
  })

  it('is shared by equal requests, and different for every other request', async () => {
    const request = fresh()
    const first = await requestMap(request)
    expect([first.headers.get('x-cache'), fixture.upstreams.count('search')]).toEqual(['MISS', 1])
    const again = await requestMap(request)
    expect([again.headers.get('x-cache'), again.text]).toEqual(['HIT', first.text])
    await requestMap({ ...request, currency: 'USD' })
    await requestMap({ ...request, locale: 'fa-AF' })
    await requestMap({ ...request, filters: { starRating: [3] } })
    expect(fixture.upstreams.count('search')).toBe(4)
  })

  it('of an empty area is empty and complete', async () => {
    const nowhere = { swLat: 1, swLng: 1, neLat: 2, neLng: 2 }
    const response = await requestMap(fresh({}, nowhere))
    expect(response.body).toMatchObject({ total: 0, pins: [], degraded: false, truncated: false })
  })

  it('of a point or a line contains exactly the hotels on it', async () => {
    const point = { swLat: 34.5, swLng: 69.2, neLat: 34.5, neLng: 69.2 }
    expect(pinsOf(await requestMap(fresh({}, point)))).toHaveLength(12)
    expect(pinsOf(await requestMap(fresh({}, { ...point, swLng: 69.1 })))).toHaveLength(12)
    const beside = { ...point, swLng: 69.2000001, neLng: 69.2000001 }
    expect(pinsOf(await requestMap(fresh({}, beside)))).toHaveLength(0)
  })

  it('is fresh for a minute, in a campaign for five', async () => {
    const request = fresh()
    await requestMap(request)
    clock.advance(40_000)
    expect((await requestMap(request)).headers.get('x-cache')).toBe('HIT')
    clock.advance(120_000)
    expect((await requestMap(request)).headers.get('x-cache')).not.toBe('HIT')
    await fixture.service.ctx.cacheRedis.set('bff.consumer.campaign_mode.v1', '{"enabled":true}')
    await expect.poll(() => fixture.service.ctx.flags.isCampaign()).toBe(true)
    const busy = fresh()
    await requestMap(busy)
    clock.advance(240_000)
    expect((await requestMap(busy)).headers.get('x-cache')).toBe('HIT')
    await fixture.service.ctx.cacheRedis.del('bff.consumer.campaign_mode.v1')
    await expect.poll(() => fixture.service.ctx.flags.isCampaign()).toBe(false)
  })

  it('requests brands in batches of a hundred', async () => {
    const many = Array.from({ length: 230 }, () => ({ ...hotelAt(0), ...newIds() }))
    fixture.upstreams.hotels.push(...many)
    const response = await requestMap(fresh({}, WHOLE_WORLD))
    expect(pinsOf(response)).toHaveLength(244)
    expect(response.body).toMatchObject({ degraded: false })
    const calls = fixture.upstreams.requests.filter(({ upstream }) => upstream === 'theme')
    const sizes = calls.map(({ body }) => (body['tenantIds'] as unknown[]).length)
    expect(sizes.toSorted((a, b) => a - b).at(-1)).toBe(100)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(230)
    fixture.upstreams.hotels.length = 14
  })
})

const newIds = () => ({ propertyId: newId('ppt'), tenantId: newId('tnt') })

describe('C3 the targeted pin', () => {
  it('and no other has a price, whichever cache served the map', async () => {
    const { propertyId } = hotelAt(3)
    const request = fresh({ targetPropertyId: propertyId })
    for (const origin of ['cold', 'cached']) {
      const response = await requestMap(request)
      expect(closedCheck(SearchMap)(response.body), origin).toEqual([])
      const priced = pinsOf(response).filter((pin) => pin.cheapestNightlyMinor !== undefined)
      expect(priced).toEqual([
        {
          propertyId,
          geo: { lat: 34.5, lng: 69.2 },
          cheapestNightlyMinor: 250_003,
          currency: 'AFN',
          availability: { bookable: true },
          rateSnapshot: expect.objectContaining({ totalForStayMinor: 500_006, isStale: false }),
          brandColor: '#005f56',
        },
      ])
      expect(Object.keys(priced[0] ?? {})).toEqual([
        'propertyId',
        'geo',
        'cheapestNightlyMinor',
        'currency',
        'availability',
        'rateSnapshot',
        'brandColor',
      ])
      expect(sectionsOf(response)).toEqual({ listings: 'fresh', brands: 'fresh', prices: 'fresh' })
    }
  })

  it('targets other pins without requesting the map again', async () => {
    const request = fresh()
    for (const at of [0, 1, 2, 0, 1, 2]) {
      const response = await requestMap({ ...request, targetPropertyId: hotelAt(at).propertyId })
      const priced = pinsOf(response).filter((pin) => pin.currency !== undefined)
      expect(priced.map((pin) => pin.propertyId)).toEqual([hotelAt(at).propertyId])
    }
    expect([requestCount('search/map'), fixture.upstreams.count('pricing')]).toEqual([1, 3])
    expect(pinsOf(await requestMap(request)).every((pin) => pin.currency === undefined)).toBe(true)
  })

  it('that is not on the map is reported, and its price is not requested', async () => {
    const request = fresh()
    await requestMap(request)
    const response = await requestMap({ ...request, targetPropertyId: newId('ppt') })
    expect(response.body).toMatchObject({ targetMissing: true, degraded: false })
    expect(closedCheck(SearchMap)(response.body)).toEqual([])
    expect(fixture.upstreams.count('pricing')).toBe(0)
  })

  it('has no price that is older than a minute', async () => {
    const request = fresh({ targetPropertyId: hotelAt(0).propertyId })
    const capturedMs = clock.nowMs() - 40_000
    fixture.upstreams.capturedAt = () => new Date(capturedMs).toISOString()
    expect(sectionsOf(await requestMap(request))['prices']).toBe('fresh')
    clock.advance(15_000)
    await requestMap(request)
    expect(fixture.upstreams.count('pricing')).toBe(1)
    clock.advance(6_000)
    const late = await requestMap(request)
    expect(fixture.upstreams.count('pricing')).toBe(2)
    expect(sectionsOf(late)['prices']).toBe('missing')
    expect(pinsOf(late).every((pin) => pin.currency === undefined)).toBe(true)
    fixture.upstreams.capturedAt = () => new Date(clock.nowMs()).toISOString()
    expect(sectionsOf(await requestMap(request))['prices']).toBe('fresh')
  })

  it('without a rate for the stay has no price, and is not degraded', async () => {
    fixture.upstreams.previewExtra = { status: 'unavailable' }
    const response = await requestMap(fresh({ targetPropertyId: hotelAt(0).propertyId }))
    expect(sectionsOf(response)['prices']).toBe('fresh')
    expect(pinsOf(response).every((pin) => pin.currency === undefined)).toBe(true)
    expect(pinsOf(response)[0]).toMatchObject({
      availability: { bookable: false, reason: 'no_rate' },
    })
  })
})

describe('a guest with a map', () => {
  it('gets a session with the first request and a search per query', async () => {
    const request = fresh()
    const first = await requestMap(request)
    const cookie = cookieOf(first)
    expect(cookie).toMatch(/^__Host-gms_id=gms_/)
    const search = first.headers.get('x-search-session')
    expect(search).toMatch(/^srs_/)
    const pointing = { ...request, targetPropertyId: hotelAt(0).propertyId }
    expect((await requestMap(pointing, { cookie })).headers.get('x-search-session')).toBe(search)
    expect((await requestMap(fresh(), { cookie })).headers.get('x-search-session')).not.toBe(search)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
  })

  it('has it in the history, and it is reported as a map', async () => {
    await disableSampling(fixture)
    const guest = await createGuest(fixture.service.url)
    const request = fresh({ targetPropertyId: hotelAt(0).propertyId })
    const response = await requestMap(request, { cookie: guest.cookie })
    await requestMap(request, { cookie: guest.cookie })
    await finishBackgroundWork(fixture)
    const events = await publishedEvents(fixture, guest.id)
    expect(eventNames(events)).toEqual(['session.started.v1', 'search.executed.v1'])
    expect(events[1]?.payload).toMatchObject({
      kind: 'map',
      geoMode: 'bounding-box',
      searchSessionId: response.headers.get('x-search-session'),
      resultCount: 12,
      itemCount: 12,
      pricedCount: 1,
      pageSize: 250,
    })
    const saved = await fixture.service.ctx.sessionRedis.get(
      searchKeyOf(fixture.service, guest.id, response.headers.get('x-search-session')),
    )
    expect(JSON.parse(saved ?? '{}')).toMatchObject({ geo: request['geo'], resultCount: 12 })
  })
})

describe('D10 five hundred concurrent requests', () => {
  /** All of one guest: starting five hundred sessions would take longer than the map. */
  let headers: { readonly cookie: string }
  beforeAll(async () => {
    headers = { cookie: (await createGuest(fixture.service.url)).cookie }
  })

  it('with the same query call the search service once', async () => {
    const request = fresh()
    const responses = await Promise.all(
      Array.from({ length: 500 }, () => requestMap(request, headers)),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(requestCount('search/map')).toBe(1)
  })

  it('with different queries each have their own map, so the count above can fail', async () => {
    await Promise.all(Array.from({ length: 50 }, () => requestMap(fresh(), headers)))
    expect(requestCount('search/map')).toBe(50)
  })

  it('that target the same pin call pricing once', async () => {
    const request = fresh({ targetPropertyId: hotelAt(5).propertyId })
    const responses = await Promise.all(
      Array.from({ length: 500 }, () => requestMap(request, headers)),
    )
    expect(responses.every((response) => sectionsOf(response)['prices'] === 'fresh')).toBe(true)
    expect([requestCount('search/map'), fixture.upstreams.count('pricing')]).toEqual([1, 1])
  })
})
