import { gunzipSync } from 'node:zlib'
import { addDays, daysBetween, type IsoDate, todayIn } from '@melmastoon/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HotelPage, HotelPriceVM } from '../../src/hotels/hotel-detail.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import {
  getHotel,
  getHotelPrice,
  hotelOf,
  ownHeadersOf,
  PREFERENCES,
  ratesOf,
  warmUp,
} from '../harness/hotel-client.ts'
import { dayFromNow, type Fixture, sectionsOf, startFixture } from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
  await warmUp(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.upstreams.requests.length = 0
})

const ALL_FRESH = { property: 'fresh', similar: 'fresh', prices: 'fresh', brand: 'fresh' }
const show = (at = 0, options = {}) =>
  getHotel(fixture.service.url, hotelOf(fixture.upstreams, at).propertyId, options)
const price = (at = 0, options = {}) =>
  getHotelPrice(fixture.service.url, hotelOf(fixture.upstreams, at).propertyId, options)
const STAY = { checkIn: dayFromNow(20), checkOut: dayFromNow(22) }

describe('C4 a hotel', () => {
  it('matches the view model exactly, without undeclared members', async () => {
    const response = await show()
    expect(response.status).toBe(200)
    expect(closedCheck(HotelPage)(response.body)).toEqual([])
    expect([sectionsOf(response), response.body['degraded']]).toEqual([ALL_FRESH, false])
    expect(response.text).not.toMatch(/must not get through|ownerPhone|\\u0000/)
    expect(response.body).toMatchObject({
      property: {
        name: { default: 'Hotel 0', localized: { 'fa-AF': 'Hotel 0 فا' } },
        description: 'A house by the river.',
        address: { nativeLine: 'کوچه گل فروشی ۵', city: 'kabul' },
        badges: ['shariaCompliant'],
      },
      rooms: [{ name: { default: 'Twin room' }, beds: [{ kind: 'single', count: 2 }] }],
      amenities: [{ code: 'wifi', name: { default: 'Wi-Fi' } }],
      photos: [
        { url: 'https://photos.example/hero.jpg', alt: 'The house', isHero: true },
        { isHero: false },
      ],
      policies: {
        cancellation: 'Free until two days before.',
        checkIn: '14:00',
        checkOut: '11:00',
      },
      brandPeek: { primaryColor: '#005f56' },
      popularitySignals: { bookedLast24h: 3, viewedLast1h: 21 },
    })
  })

  it('C22 has photos in several sizes, and reviews in the requested language', async () => {
    const { body } = await show(0, { query: { locale: 'fa-AF', currency: 'USD' } })
    const sizes = {
      width: 800,
      height: 500,
      sources: [{ url: 'https://photos.example/320.webp', width: 320, format: 'webp' }],
    }
    expect(body).toMatchObject({
      photos: [
        { ...sizes, category: 'exterior', isHero: true },
        { ...sizes, category: 'room' },
      ],
      rooms: [{ photos: [{ ...sizes, category: 'room' }] }],
      reviews: {
        count: 120,
        scores: [{ aspect: 'staff', value: 9.1 }],
        items: [
          {
            author: 'Ahmad R.',
            rating: 9,
            stayedIn: '2026-05',
            travellers: 'family',
            language: 'fa-AF',
            text: 'The staff helps with everything. فا',
          },
        ],
      },
    })
    const [card] = body['similarProperties'] as { thumbnail: object }[]
    expect(card?.thumbnail).toMatchObject({ width: 800, height: 500, sources: [{ width: 320 }] })
  })

  it('calls every upstream once, including similar hotels', async () => {
    await show(0, { query: { ...PREFERENCES, ...STAY } })
    const { requests, hotels } = fixture.upstreams
    await fixture.service.ctx.cache.invalidate(['hotel'])
    requests.length = 0
    await show(0, { query: { ...PREFERENCES, ...STAY } })
    const paths = requests.map(({ upstream, path }) => `${upstream} ${path.split(/[/?]/)[3]}`)
    expect(paths.toSorted()).toEqual([
      'pricing properties',
      'pricing quotes',
      `property ${hotelOf(fixture.upstreams).propertyId}`,
      'search hotels',
    ])
    const preview = requests.find(({ path }) => path.endsWith('preview'))
    const five = hotels.slice(0, 5).map(({ propertyId }) => propertyId)
    expect(preview?.body['propertyIds']).toEqual(five)
  })

  it('has four similar hotels with prices, brands and badges', async () => {
    const response = await show()
    const similar = response.body['similarProperties'] as Record<string, unknown>[]
    expect(similar.map((card) => (card['name'] as { default: string }).default)).toEqual([
      'Hotel 1',
      'Hotel 2',
      'Hotel 3',
      'Hotel 4',
    ])
    expect(similar.map((card) => card['badges'])).toEqual([
      ['crossRegionDelivery', 'shariaCompliant'],
      ['shariaCompliant', 'newProperty'],
      ['shariaCompliant'],
      ['shariaCompliant'],
    ])
    expect(ratesOf(response).map((rate) => rate?.['cheapestNightlyMinor'])).toEqual([
      250_000, 250_001, 250_002, 250_003, 250_004,
    ])
  })

  it('has badges itself', async () => {
    const badges = async (at: number) =>
      ((await show(at)).body['property'] as { badges: string[] }).badges
    expect(await badges(1)).toEqual(['crossRegionDelivery', 'shariaCompliant'])
    expect(await badges(2)).toEqual(['shariaCompliant', 'newProperty'])
  })

  it('is in the requested language', async () => {
    const { body } = await show(0, { query: { locale: 'fa-AF', currency: 'USD' } })
    expect(body).toMatchObject({
      property: { description: 'A house by the river. فا', address: { city: 'kabul فا' } },
      policies: { cancellation: 'Free until two days before. فا' },
      photos: [{ alt: 'The house فا' }, {}],
      cheapestRateSnapshot: { currency: 'USD' },
    })
  })

  it('has the URL that creates a booking link, and contains no link', async () => {
    const { tenantId, propertyId } = hotelOf(fixture.upstreams)
    expect((await show()).body['handoffHint']).toEqual({
      url: `/bff/consumer/v1/handoff/${tenantId}/${propertyId}`,
      ttlSeconds: 1_800,
    })
  })

  it('is priced by default for two adults in one room for tomorrow at the hotel', async () => {
    const { body } = await show()
    const tomorrow = addDays(todayIn('Asia/Kabul', new Date()), 1)
    expect(body['stay']).toEqual({ checkIn: tomorrow, checkOut: addDays(tomorrow, 1) })
    expect(body['occupancy']).toEqual({ adults: 2, children: 0, rooms: 1 })
    const party = { adults: '3', children: '2', rooms: '2', childrenAges: ['9', '4'] }
    const explicit = await show(0, { query: { ...PREFERENCES, ...STAY, ...party } })
    expect(explicit.body).toMatchObject({
      stay: STAY,
      occupancy: { adults: 3, children: 2, rooms: 2, childrenAges: [4, 9] },
    })
    const preview = fixture.upstreams.requests.findLast(({ path }) => path.endsWith('preview'))
    expect(preview?.body).toMatchObject({ stay: STAY, occupancy: explicit.body['occupancy'] })
  })

  it('shows seven days from the check-in on, without days that are not sold', async () => {
    const { body } = await show(0, { query: { ...PREFERENCES, ...STAY } })
    const days = body['priceCalendarPreview'] as { date: IsoDate; cheapestMinor: number }[]
    const first = STAY.checkIn as IsoDate
    expect(days.map(({ date }) => daysBetween(first, date))).toEqual([0, 2, 3, 4, 5, 6])
    expect(days[1]).toEqual({ date: addDays(first, 2), cheapestMinor: 250_200, currency: 'AFN' })
  })

  it('that is unknown, or not indexed, is not found', async () => {
    const unknown = await getHotel(fixture.service.url, 'ppt_01J00000000000000000000000')
    expect([unknown.status, unknown.body['code']]).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
    expect(unknown.headers.get('cache-control')).toBe('no-store')
    const requestCount = () => fixture.upstreams.count('property')
    const before = requestCount()
    await getHotel(fixture.service.url, 'ppt_01J00000000000000000000000')
    expect(requestCount()).toBe(before)
    const { propertyId } = hotelOf(fixture.upstreams, 13)
    fixture.upstreams.unlisted.add(propertyId)
    expect((await show(13)).status).toBe(404)
    expect((await price(13)).status).toBe(404)
    fixture.upstreams.unlisted.clear()
  })
})

describe('D5 C13 a hotel in a CDN', () => {
  it('is cacheable by shared caches when the URL has locale and currency', async () => {
    const { headers } = await show()
    expect(headers.get('cache-control')).toBe(
      'public, max-age=15, s-maxage=300, stale-while-revalidate=60',
    )
    expect(headers.get('vary')).toBe('Accept-Encoding')
  })

  it('varies on the headers that replace missing parameters', async () => {
    const headers = { 'accept-language': 'ps-AF', 'x-currency': 'USD' }
    const response = await show(0, { query: {}, headers })
    expect(response.headers.get('vary')).toBe('Accept-Language, X-Currency, Accept-Encoding')
    expect(response.body['cheapestRateSnapshot']).toMatchObject({ currency: 'USD' })
    const both = await show(0, { query: PREFERENCES, headers })
    expect(both.body['cheapestRateSnapshot']).toMatchObject({ currency: 'AFN' })
  })

  it('declares no price fresh, even if it is', async () => {
    const rates = ratesOf(await show(0, { query: { ...PREFERENCES, ...STAY } }))
    expect(rates.map((rate) => rate?.['isStale'])).toEqual([true, true, true, true, true])
    for (const rate of rates) {
      const lifeMs =
        Date.parse(String(rate?.['ttlExpiresAt'])) - Date.parse(String(rate?.['capturedAt']))
      expect(lifeMs).toBe(60_000)
    }
  })

  it('returns the same bytes again, in every encoding, and 304 to a client that has them', async () => {
    const first = await show(3)
    const again = await show(3)
    expect(again.headers.get('x-cache')).toBe('HIT')
    expect([again.text, again.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')])
    const { propertyId } = hotelOf(fixture.upstreams, 3)
    const { url } = fixture.service
    const query = new URLSearchParams(PREFERENCES)
    const reply = await fixture.service.app.inject({
      url: `/bff/consumer/v1/hotels/${propertyId}?${query.toString()}`,
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(gunzipSync(reply.rawPayload).toString()).toBe(first.text)
    const etag = first.headers.get('etag') ?? ''
    const same = await getHotel(url, propertyId, { headers: { 'if-none-match': etag } })
    expect([same.status, same.text, ownHeadersOf(same)]).toEqual([304, '', []])
    expect(same.headers.get('cache-control')).toContain('s-maxage=300')
  })

  it('has one cache entry for equivalent requests', async () => {
    await show(4, { query: { ...PREFERENCES, ...STAY } })
    fixture.upstreams.requests.length = 0
    const explicit = { ...PREFERENCES, ...STAY, adults: '2', rooms: '1', children: '0' }
    const same = await show(4, { query: explicit })
    expect([same.headers.get('x-cache'), fixture.upstreams.requests]).toEqual(['HIT', []])
  })

  it('in three languages calls no upstream three times', async () => {
    await show(5)
    fixture.upstreams.requests.length = 0
    await show(5, { query: { ...PREFERENCES, locale: 'ps-AF' } })
    await show(5, { query: { ...PREFERENCES, locale: 'fa-AF' } })
    expect(fixture.upstreams.requests).toEqual([])
  })

  it('returns only headers for a HEAD request', async () => {
    const head = await show(0, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('etag')).toBe((await show()).headers.get('etag'))
  })
})

describe('D6 the price of a hotel', () => {
  it('is a separate document, fresh and private', async () => {
    const query = { ...PREFERENCES, checkIn: dayFromNow(30), checkOut: dayFromNow(31) }
    const page = await show(6, { query })
    const response = await price(6, { query })
    expect(closedCheck(HotelPriceVM)(response.body)).toEqual([])
    expect(response.headers.get('cache-control')).toBe('private, max-age=15')
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(response.body).toMatchObject({
      propertyId: hotelOf(fixture.upstreams, 6).propertyId,
      stay: page.body['stay'],
      occupancy: page.body['occupancy'],
      cheapestRateSnapshot: {
        ...(page.body['cheapestRateSnapshot'] as object),
        isStale: false,
      },
      priceCalendarPreview: page.body['priceCalendarPreview'],
      sections: { prices: { status: 'fresh' } },
      degraded: false,
    })
    expect(response.text).not.toContain(hotelOf(fixture.upstreams, 7).propertyId)
    const etag = response.headers.get('etag') ?? ''
    expect((await price(6, { query, headers: { 'if-none-match': etag } })).status).toBe(304)
    const previews = fixture.upstreams.requests.filter(({ path }) => path.endsWith('preview'))
    expect(previews).toHaveLength(1)
  })

  it('is absent where no room is available', async () => {
    fixture.upstreams.previewExtra = { status: 'unavailable' }
    const query = { ...PREFERENCES, checkIn: dayFromNow(40), checkOut: dayFromNow(41) }
    const response = await price(0, { query })
    fixture.upstreams.reset()
    expect(response.body['cheapestRateSnapshot']).toBeUndefined()
    expect(response.body['availability']).toEqual({ bookable: false, reason: 'no_rate' })
    expect([sectionsOf(response), response.body['degraded']]).toEqual([{ prices: 'fresh' }, false])
  })
})
