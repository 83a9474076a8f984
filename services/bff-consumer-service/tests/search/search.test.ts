import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SearchPage } from '../../src/search/search-schema.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { shownOffer } from '../harness/shown-offer.ts'
import {
  createGuest,
  dayFromNow,
  type Fixture,
  itemsOf,
  post,
  pricesOf,
  SERVICE_SECRET,
  searchRequest,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.upstreams.reset()
  fixture.upstreams.requests.length = 0
})

const search = (json: unknown, headers: Record<string, string> = {}) =>
  post(fixture.service.url, '/search', { json, headers })

/** A search that no test has sent before. */
let requestNumber = 0
const fresh = (over: Record<string, unknown> = {}) => {
  requestNumber += 1
  return searchRequest({
    dates: { checkIn: dayFromNow(10), checkOut: dayFromNow(10 + requestNumber) },
    ...over,
  })
}

describe('C2 the response', () => {
  it('C19 names the place, and proposes others if nothing is found', async () => {
    const place = {
      kind: 'city',
      key: 'kabul',
      name: { default: 'Kabul', localized: { 'fa-AF': 'کابل' } },
      country: 'AF',
      region: { key: 'kabul', name: { default: 'Kabul' } },
      geo: { lat: 34.5, lng: 69.2 },
      properties: 0,
      boundingBox: { swLat: 34, swLng: 69, neLat: 35, neLng: 70 },
      search: { geo: { mode: 'city', city: 'kabul' } },
      ownerPhone: '+93700000000',
    }
    const nearby = { ...place, key: 'ghazni', properties: 3, because: 'nearby', distanceKm: 128.4 }
    fixture.upstreams.searchExtra = { total: 0, items: [], place, alternatives: [nearby] }
    const response = await search(fresh({ locale: 'fa-AF' }))
    expect(closedCheck(SearchPage)(response.body)).toEqual([])
    expect(response.body['place']).toEqual({
      kind: 'city',
      key: 'kabul',
      name: 'کابل',
      country: 'AF',
      countryName: 'افغانستان',
      region: { key: 'kabul', name: 'Kabul' },
      geo: { lat: 34.5, lng: 69.2 },
      count: 0,
      boundingBox: { swLat: 34, swLng: 69, neLat: 35, neLng: 70 },
      geoQuery: { mode: 'city', city: 'kabul' },
    })
    expect(response.body['alternatives']).toMatchObject([
      { key: 'ghazni', count: 3, because: 'nearby', distanceKm: 128.4 },
    ])
  })

  it('matches the view model exactly, without undeclared members of upstream responses', async () => {
    const response = await search(fresh())
    expect(response.status).toBe(200)
    expect(closedCheck(SearchPage)(response.body)).toEqual([])
    expect(response.text).not.toMatch(/ownerPhone|secret|score|must not get through/)
    const [hotel] = fixture.upstreams.hotels
    expect(itemsOf(response)[0]).toEqual({
      propertyId: hotel?.propertyId,
      tenantId: hotel?.tenantId,
      tenantSlug: 'hotel-0',
      name: { default: 'Hotel 0', localized: { 'ps-AF': 'Hotel 0 هوټل' } },
      city: 'kabul',
      cityKey: 'kabul',
      neighbourhood: 'Shahr-e Naw',
      country: 'AF',
      geo: { lat: 34.5, lng: 69.2 },
      timeZone: 'Asia/Kabul',
      thumbnail: {
        url: 'https://photos.example/1.jpg',
        alt: 'The house',
        width: 800,
        height: 500,
        sources: [{ url: 'https://photos.example/1/320.webp', width: 320, format: 'webp' }],
      },
      starRating: 3,
      guestRating: { value: 8.4, count: 120 },
      amenityHighlights: ['wifi', 'prayer-room'],
      brandPeek: {
        primaryColor: '#005f56',
        logoUrl: `https://logos.example/${hotel?.tenantId}.svg`,
        brandName: { default: 'House of guests', localized: { 'fa-AF': 'مهمان‌سرا' } },
      },
      availability: { bookable: true },
      rateSnapshot: {
        offer: shownOffer('NRF', dayFromNow(10)),
        cheapestNightlyMinor: 250_000,
        totalForStayMinor: 500_000,
        currency: 'AFN',
        currencyDisplayPolicy: 'user-preferred',
        capturedAt: expect.any(String),
        ttlExpiresAt: expect.any(String),
        isStale: false,
      },
      badges: ['shariaCompliant'],
    })
    const { capturedAt, ttlExpiresAt } = pricesOf(response)[0] ?? {}
    expect(Date.parse(String(ttlExpiresAt)) - Date.parse(String(capturedAt))).toBe(60_000)
    expect(response.body['sections']).toMatchObject({
      listings: { status: 'fresh' },
      prices: { status: 'fresh' },
      brands: { status: 'fresh' },
    })
    expect(response.body['degraded']).toBe(false)
  })

  it('C14 marks hotels served from another region and new ones', async () => {
    const [first, afar, young] = itemsOf(await search(fresh()))
    expect(first?.['badges']).toEqual(['shariaCompliant'])
    expect(afar?.['badges']).toEqual(['crossRegionDelivery', 'shariaCompliant'])
    expect(young?.['badges']).toEqual(['shariaCompliant', 'newProperty'])
  })

  it('C10 uses the requested language and currency, upstream as well', async () => {
    const response = await search(fresh(), {
      'accept-language': 'prs, en;q=0.5',
      'x-currency': 'USD',
    })
    const [card] = itemsOf(response)
    expect(card).toMatchObject({ city: 'کابل', thumbnail: { alt: 'خانه' } })
    expect(card?.rateSnapshot?.['currency']).toBe('USD')
    const [sentRequest] = fixture.upstreams.requests
    expect(sentRequest?.headers).toMatchObject({
      'accept-language': 'fa-AF',
      'x-currency': 'USD',
      authorization: `Bearer ${SERVICE_SECRET}`,
      'x-calling-service': 'bff-consumer-service',
    })
  })

  it('contains distances from a point', async () => {
    const geo = { mode: 'point', point: { lat: 34.52, lng: 69.17, radiusKm: 20 } }
    expect(itemsOf(await search(fresh({ geo })))[0]?.['distanceKm']).toBe(1.25)
  })

  it('passes filters on, prices in millionths', async () => {
    const filters = {
      priceRange: { min: 100_000, max: 900_000, currency: 'AFN' },
      amenities: ['wifi', 'prayer-room'],
      starRating: [4, 3],
      guestRatingMin: 7,
      propertyType: ['hotel'],
      cancellationFlexibility: 'free',
      neighbourhoods: ['shahr-e-naw'],
    }
    const response = await search(fresh({ filters, sortKey: 'price-asc' }))
    expect(response.status).toBe(200)
    expect(fixture.upstreams.requests[0]?.body).toMatchObject({
      sortKey: 'price-asc',
      filters: {
        priceRange: { minMicro: '1000000000', maxMicro: '9000000000', currency: 'AFN' },
        amenities: ['prayer-room', 'wifi'],
        starRating: [3, 4],
        guestRatingMin: 7,
        propertyType: ['hotel'],
        cancellationFlexibility: 'free',
        neighbourhoods: ['shahr-e-naw'],
      },
    })
  })

  it('is paginated, with facets on the first page', async () => {
    const request = fresh({ pageSize: 5 })
    const first = await search(request)
    const second = await search({ ...request, cursor: first.body['nextCursor'] })
    const third = await search({ ...request, cursor: second.body['nextCursor'] })
    const counts = [first, second, third].map((page) => itemsOf(page).length)
    expect(counts).toEqual([5, 5, 2])
    expect([first.body['facets'], second.body['facets']]).toEqual([expect.any(Object), undefined])
    expect(third.body['nextCursor']).toBeUndefined()
    const ids = [first, second, third].flatMap(itemsOf).map((card) => card.propertyId)
    expect(new Set(ids).size).toBe(12)
  })

  it('without hotels is complete, and requests neither prices nor brands', async () => {
    const response = await search(fresh({ geo: { mode: 'city', city: 'nowhere' } }))
    expect(response.body).toMatchObject({ total: 0, items: [], degraded: false })
    expect([fixture.upstreams.count('pricing'), fixture.upstreams.count('theme')]).toEqual([0, 0])
  })

  it('rejects an invalid cursor', async () => {
    const response = await search(fresh({ cursor: 'broken' }))
    expect([response.status, response.body['code']]).toEqual([
      400,
      'MELMASTOON.SEARCH.CURSOR_INVALID',
    ])
    expect(response.body['errors']).toMatchObject([{ pointer: '/cursor' }])
  })
})

describe('C11 the cache', () => {
  it('returns MISS, then HIT with the same bytes, also in brotli and gzip, and no 304 to POST', async () => {
    const request = fresh()
    const first = await search(request)
    const second = await search(request)
    expect([first, second].map(({ headers }) => headers.get('x-cache'))).toEqual(['MISS', 'HIT'])
    expect(second.text).toBe(first.text)
    expect(fixture.upstreams.count('search')).toBe(1)
    const etag = second.headers.get('etag') ?? ''
    const unchanged = await search(request, { 'if-none-match': etag })
    expect([unchanged.status, unchanged.text]).toEqual([200, first.text])
    for (const encoding of ['br', 'gzip']) {
      await expect
        .poll(async () => {
          const { headers, text } = await search(request, { 'accept-encoding': encoding })
          return [headers.get('content-encoding'), text]
        })
        .toEqual([encoding, first.text])
    }
    expect([...second.headers.keys()].filter((name) => name.startsWith('x-')).sort()).toEqual([
      'x-cache',
      'x-content-type-options',
      'x-request-id',
      'x-search-session',
    ])
    expect(second.headers.get('vary')).toBe('Accept-Language, X-Currency, Cookie, Accept-Encoding')
  })

  it('has one entry for a query, however it is written', async () => {
    const { dates } = fresh()
    const occupancy = { adults: 2, children: 2, rooms: 1, childrenAges: [9, 4] }
    const one = { geo: { mode: 'city', city: ' Kabul ' }, dates, occupancy }
    const filters = { amenities: [' '], cancellationFlexibility: 'any', guestRatingMin: 0 }
    const other = {
      sortKey: 'recommended',
      pageSize: 20,
      filters,
      occupancy: { childrenAges: [4, 9], adults: 2, children: 2 },
      dates: { checkOut: dates.checkOut, checkIn: dates.checkIn },
      geo: { city: 'kabul', mode: 'city' },
    }
    const responses = [await search(one), await search(other)]
    expect(responses.map(({ headers }) => headers.get('x-cache'))).toEqual(['MISS', 'HIT'])
  })

  it('separates languages, currencies, page sizes and occupancies', async () => {
    const request = fresh()
    const variants = [
      search(request),
      search(request, { 'accept-language': 'ps' }),
      search(request, { 'x-currency': 'EUR' }),
      search({ ...request, pageSize: 3 }),
      search({ ...request, occupancy: { adults: 3 } }),
      search({ ...request, occupancy: { adults: 2, children: 1, childrenAges: [5] } }),
      search({ ...request, sortKey: 'rating-desc' }),
    ]
    const responses = await Promise.all(variants)
    expect(responses.map(({ headers }) => headers.get('x-cache'))).toEqual(
      responses.map(() => 'MISS'),
    )
  })

  it('shares one upstream call among fifty concurrent requests', async () => {
    const request = fresh()
    fixture.upstreams.behaviour.search.delayMs = 100
    const responses = await Promise.all(Array.from({ length: 50 }, () => search(request)))
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    const { upstreams } = fixture
    expect([upstreams.count('search'), upstreams.count('pricing')]).toEqual([1, 1])
  })

  it('requests brands once in 15 minutes', async () => {
    await search(fresh())
    fixture.upstreams.requests.length = 0
    const response = await search(fresh())
    expect(response.body['sections']).toMatchObject({ brands: { status: 'fresh' } })
    expect(fixture.upstreams.count('theme')).toBe(0)
  })

  it('cannot be poisoned by headers that are not part of the key', async () => {
    const request = fresh()
    const canary = `canary-${newId('req')}`
    const first = await search(request, {
      'x-forwarded-host': canary,
      'x-campaign-source': canary,
      'user-agent': `Mozilla/5.0 (${canary})`,
    })
    expect(first.text).not.toContain(canary)
    expect((await search(request)).text).toBe(first.text)
  })
})

describe('the search of a guest', () => {
  it('has one id over its pages and repetitions, and another for another query', async () => {
    const guest = await createGuest(fixture.service.url)
    const request = fresh({ pageSize: 5 })
    const nameOf = async (json: unknown) =>
      (await guest.search(json)).headers.get('x-search-session')
    const name = await nameOf(request)
    expect(name).toMatch(/^srs_/)
    expect(await nameOf({ ...request, cursor: '5' })).toBe(name)
    expect(await nameOf(request)).toBe(name)
    expect(await nameOf(fresh())).not.toBe(name)
    const otherGuest = await createGuest(fixture.service.url)
    expect((await otherGuest.search(request)).headers.get('x-search-session')).not.toBe(name)
  })
})
