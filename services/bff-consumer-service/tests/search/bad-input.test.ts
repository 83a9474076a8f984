import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countStarts } from '../harness/guest-sessions.ts'
import {
  dayFromNow,
  type Fixture,
  post,
  searchRequest,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let started: () => number

beforeAll(async () => {
  fixture = await startFixture()
  started = countStarts(fixture.service)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const POINT = { lat: 34.5, lng: 69.2, radiusKm: 5 }
const BOX = { swLat: 34, swLng: 69, neLat: 35, neLng: 70 }
const geo = (over: Record<string, unknown>) => searchRequest({ geo: over })
const dates = (checkIn: string, checkOut: string) => searchRequest({ dates: { checkIn, checkOut } })
const occupancy = (over: Record<string, unknown>) =>
  searchRequest({ occupancy: { adults: 2, ...over } })
const filters = (over: Record<string, unknown>) => searchRequest({ filters: over })
const range = (min: unknown, max: unknown, currency = 'AFN') =>
  filters({ priceRange: { min, max, currency } })

/** One code point that NFC turns into two. */
const QA = '\u0958'

/** Searches that were accepted. */
let taken = 0

/** One case of every validation error, with the pointer to it. */
const INVALID: readonly (readonly [string, unknown, string])[] = [
  ['no area', { ...searchRequest(), geo: undefined }, '/geo'],
  ['no mode', geo({ city: 'kabul' }), '/geo/mode'],
  ['an unknown mode', geo({ mode: 'planet' }), '/geo/mode'],
  ['a mode without its field', geo({ mode: 'point' }), '/geo/point'],
  [
    'bounding-box mode without a box',
    geo({ mode: 'bounding-box', city: 'kabul' }),
    '/geo/boundingBox',
  ],
  ['two modes at once', geo({ mode: 'city', city: 'kabul', point: POINT }), '/geo/point'],
  ['city and region', geo({ mode: 'city', city: 'kabul', region: 'kabul' }), '/geo/region'],
  ['an empty city', geo({ mode: 'city', city: '' }), '/geo/city'],
  ['a blank region', geo({ mode: 'region', region: ' \u3000' }), '/geo/region'],
  [
    'a city that lower case makes too long',
    geo({ mode: 'city', city: 'İ'.repeat(41) }),
    '/geo/city',
  ],
  ['a city that NFC makes too long', geo({ mode: 'city', city: QA.repeat(41) }), '/geo/city'],
  [
    'a region that NFC makes too long',
    geo({ mode: 'region', region: QA.repeat(41) }),
    '/geo/region',
  ],
  ['north of the pole', geo({ mode: 'point', point: { ...POINT, lat: 91 } }), '/geo/point/lat'],
  ['no radius', geo({ mode: 'point', point: { lat: 1, lng: 1 } }), '/geo/point/radiusKm'],
  ['radius 0', geo({ mode: 'point', point: { ...POINT, radiusKm: 0 } }), '/geo/point/radiusKm'],
  [
    'a box with south above north',
    geo({ mode: 'bounding-box', boundingBox: { ...BOX, neLat: 33 } }),
    '/geo/boundingBox/neLat',
  ],
  ['no dates', { ...searchRequest(), dates: undefined }, '/dates'],
  ['an impossible day', dates('2026-02-30', '2026-03-02'), '/dates/checkIn'],
  ['a date as text', dates('tomorrow', dayFromNow(3)), '/dates/checkIn'],
  ['a check-out before the check-in', dates(dayFromNow(5), dayFromNow(4)), '/dates/checkOut'],
  ['a stay of zero nights', dates(dayFromNow(5), dayFromNow(5)), '/dates/checkOut'],
  ['dates in the past', dates(dayFromNow(-3), dayFromNow(2)), '/dates/checkIn'],
  ['too far ahead', dates(dayFromNow(367), dayFromNow(368)), '/dates/checkIn'],
  ['31 nights', dates(dayFromNow(1), dayFromNow(32)), '/dates/checkOut'],
  ['zero adults', occupancy({ adults: 0 }), '/occupancy/adults'],
  ['a fractional number of guests', occupancy({ adults: 1.5 }), '/occupancy/adults'],
  ['guests as text', occupancy({ adults: '2' }), '/occupancy/adults'],
  ['zero rooms', occupancy({ rooms: 0 }), '/occupancy/rooms'],
  [
    'fewer ages than children',
    occupancy({ children: 2, childrenAges: [4] }),
    '/occupancy/childrenAges',
  ],
  ['ages without children', occupancy({ childrenAges: [4] }), '/occupancy/childrenAges'],
  [
    'an adult age for a child',
    occupancy({ children: 1, childrenAges: [18] }),
    '/occupancy/childrenAges/0',
  ],
  ['a fractional price', range(10.5, 20), '/filters/priceRange/min'],
  ['a negative price', range(-1, 20), '/filters/priceRange/min'],
  ['a minimum price above the maximum', range(30, 20), '/filters/priceRange/max'],
  ['an unsupported currency', range(1, 2, 'XAU'), '/filters/priceRange/currency'],
  ['six stars', filters({ starRating: [6] }), '/filters/starRating/0'],
  ['a rating of 11', filters({ guestRatingMin: 11 }), '/filters/guestRatingMin'],
  ['an unknown amenity', filters({ amenities: ['wifi', 'wi-fi'] }), '/filters/amenities/1'],
  [
    'an unknown property type',
    filters({ propertyType: ['hotel', 'castle'] }),
    '/filters/propertyType/1',
  ],
  [
    'a neighbourhood that NFC makes too long',
    filters({ neighbourhoods: [QA.repeat(41)] }),
    '/filters/neighbourhoods/0',
  ],
  ['an unknown filter', filters({ view: 'sea' }), '/filters/view'],
  ['an unknown sort order', searchRequest({ sortKey: 'luck' }), '/sortKey'],
  ['a page size of 51', searchRequest({ pageSize: 51 }), '/pageSize'],
  ['a page size of 0', searchRequest({ pageSize: 0 }), '/pageSize'],
  ['a cursor that is too long', searchRequest({ cursor: 'x'.repeat(401) }), '/cursor'],
  ['an unknown member', searchRequest({ tenantId: 'tnt_1' }), '/tenantId'],
]

const VALIDATION_TEXT = 'general.validation_failed'

describe('a search', () => {
  it.each(INVALID)('with %s is rejected by pointer', async (_what, json, pointer) => {
    const response = await post(fixture.service.url, '/search', { json })
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect([response.status, response.body['code']]).toEqual([
      400,
      'MELMASTOON.GENERAL.VALIDATION_FAILED',
    ])
    const errors = response.body['errors'] as { pointer: string }[]
    expect(errors.map((error) => error.pointer)).toContain(pointer)
  })

  it.each([
    ['wrong dates', dates(dayFromNow(5), dayFromNow(4)), 'search.stay_invalid'],
    ['a wrong price range', range(30, 20), 'search.price_range_invalid'],
    ['both', { ...range(30, 20), dates: dates('2026-02-30', '').dates }, VALIDATION_TEXT],
    ['no adults', occupancy({ adults: 0 }), VALIDATION_TEXT],
  ])('with %s has a text for the user', async (_what, json, key) => {
    const { body } = await post(fixture.service.url, '/search', { json })
    expect(body['userMessageKey']).toBe(`errors.${key}`)
  })

  it('reports all errors at once', async () => {
    const json = {
      geo: { mode: 'city', region: 'x' },
      dates: { checkIn: dayFromNow(3), checkOut: dayFromNow(2) },
      occupancy: { adults: 1, children: 1, childrenAges: [] },
    }
    const { body } = await post(fixture.service.url, '/search', { json })
    const errors = body['errors'] as { pointer: string }[]
    expect(errors.map((error) => error.pointer)).toEqual([
      '/geo/region',
      '/geo/city',
      '/dates/checkOut',
      '/occupancy/childrenAges',
    ])
  })

  it('for today in any time zone is accepted', async () => {
    const somewhere = new Date(Date.now() - 12 * 3_600_000).toISOString().slice(0, 10)
    const response = await post(fixture.service.url, '/search', {
      json: dates(somewhere, dayFromNow(1)),
    })
    expect(response.status).toBe(200)
    taken += 1
  })

  it('across the antimeridian is accepted', async () => {
    const boundingBox = { swLat: -20, swLng: 176, neLat: -15, neLng: -178 }
    const response = await post(fixture.service.url, '/search', {
      json: geo({ mode: 'bounding-box', boundingBox }),
    })
    expect(response.status).toBe(200)
    taken += 1
  })
})

/** Requests that are rejected before they reach a feature. */
const REJECTED = [
  ['a malformed body', 400, 'MALFORMED_BODY', { raw: '{"geo":' }],
  ['a body of the wrong type', 400, 'VALIDATION_FAILED', { raw: '[]' }],
  ['a __proto__ key', 400, 'MALFORMED_BODY', { raw: '{"__proto__":{"x":1}}' }],
  ['a body of 65 KiB', 413, 'PAYLOAD_TOO_LARGE', { json: { cursor: 'a'.repeat(66_000) } }],
  [
    'plain text',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    { json: searchRequest(), headers: { 'content-type': 'text/plain' } },
  ],
  [
    'another site',
    403,
    'CROSS_SITE_REQUEST',
    { json: searchRequest(), headers: { 'sec-fetch-site': 'same-site' } },
  ],
] as const

describe('both routes', () => {
  it.each(REJECTED)('reject %s', async (_what, status, code, options) => {
    for (const path of ['/search', '/session']) {
      const response = await post(fixture.service.url, path, options)
      expect([response.status, response.body['code']]).toEqual([
        status,
        `MELMASTOON.GENERAL.${code}`,
      ])
    }
  })
})

describe('a session', () => {
  it.each([
    [{ device: { screen: 'large' } }, '/device/screen'],
    [{ device: { timeZone: 'Mars/Olympus' } }, '/device/timeZone'],
    [{ consent: { telemetry: 'yes' } }, '/consent/telemetry'],
    [{ email: 'a@example.com' }, '/email'],
  ])('with %j is rejected by pointer', async (json, pointer) => {
    const { status, body } = await post(fixture.service.url, '/session', { json })
    expect(status).toBe(400)
    expect(body['errors']).toMatchObject([{ pointer }])
  })
})

it('only accepted requests started a session, and no other request went upstream', async () => {
  expect(started()).toBe(taken)
  expect(fixture.upstreams.count('search')).toBe(taken)
})
