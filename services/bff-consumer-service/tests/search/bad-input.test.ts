import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countStarts } from '../harness/guest-sessions.ts'
import { aSearch, dayFromNow, type Fixture, post, startFixture } from '../harness/start-consumer.ts'

let fixture: Fixture
let started: () => number

beforeAll(async () => {
  fixture = await startFixture()
  started = countStarts(fixture.service)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const POINT = { lat: 34.5, lng: 69.2, radiusKm: 5 }
const BOX = { swLat: 34, swLng: 69, neLat: 35, neLng: 70 }
const geo = (over: Record<string, unknown>) => aSearch({ geo: over })
const dates = (checkIn: string, checkOut: string) => aSearch({ dates: { checkIn, checkOut } })
const occupancy = (over: Record<string, unknown>) => aSearch({ occupancy: { adults: 2, ...over } })
const filters = (over: Record<string, unknown>) => aSearch({ filters: over })
const range = (min: unknown, max: unknown, currency = 'AFN') =>
  filters({ priceRange: { min, max, currency } })

/** One code point that NFC turns into two. */
const QA = '\u0958'

/** Searches that were not refused. */
let taken = 0

/** One of each way to contradict oneself, and where. */
const INVALID: readonly (readonly [string, unknown, string])[] = [
  ['no area', { ...aSearch(), geo: undefined }, '/geo'],
  ['no mode', geo({ city: 'kabul' }), '/geo/mode'],
  ['an unknown mode', geo({ mode: 'planet' }), '/geo/mode'],
  ['a mode without its member', geo({ mode: 'point' }), '/geo/point'],
  ['a box without a box', geo({ mode: 'bounding-box', city: 'kabul' }), '/geo/boundingBox'],
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
    'a box upside down',
    geo({ mode: 'bounding-box', boundingBox: { ...BOX, neLat: 33 } }),
    '/geo/boundingBox/neLat',
  ],
  ['no dates', { ...aSearch(), dates: undefined }, '/dates'],
  ['a day that is none', dates('2026-02-30', '2026-03-02'), '/dates/checkIn'],
  ['a date in words', dates('tomorrow', dayFromNow(3)), '/dates/checkIn'],
  ['leaving before arriving', dates(dayFromNow(5), dayFromNow(4)), '/dates/checkOut'],
  ['no night', dates(dayFromNow(5), dayFromNow(5)), '/dates/checkOut'],
  ['the past', dates(dayFromNow(-3), dayFromNow(2)), '/dates/checkIn'],
  ['too far ahead', dates(dayFromNow(367), dayFromNow(368)), '/dates/checkIn'],
  ['31 nights', dates(dayFromNow(1), dayFromNow(32)), '/dates/checkOut'],
  ['nobody', occupancy({ adults: 0 }), '/occupancy/adults'],
  ['half a guest', occupancy({ adults: 1.5 }), '/occupancy/adults'],
  ['guests as text', occupancy({ adults: '2' }), '/occupancy/adults'],
  ['no room', occupancy({ rooms: 0 }), '/occupancy/rooms'],
  ['an age too few', occupancy({ children: 2, childrenAges: [4] }), '/occupancy/childrenAges'],
  ['ages without children', occupancy({ childrenAges: [4] }), '/occupancy/childrenAges'],
  ['a grown child', occupancy({ children: 1, childrenAges: [18] }), '/occupancy/childrenAges/0'],
  ['an odd price', range(10.5, 20), '/filters/priceRange/min'],
  ['a price below zero', range(-1, 20), '/filters/priceRange/min'],
  ['prices the wrong way round', range(30, 20), '/filters/priceRange/max'],
  ['a price in gold', range(1, 2, 'XAU'), '/filters/priceRange/currency'],
  ['six stars', filters({ starRating: [6] }), '/filters/starRating/0'],
  ['a rating of 11', filters({ guestRatingMin: 11 }), '/filters/guestRatingMin'],
  [
    'an amenity that NFC makes too long',
    filters({ amenities: ['wifi', QA.repeat(21)] }),
    '/filters/amenities/1',
  ],
  [
    'a property type that NFC makes too long',
    filters({ propertyType: [QA.repeat(21)] }),
    '/filters/propertyType/0',
  ],
  [
    'a neighbourhood that NFC makes too long',
    filters({ neighbourhoods: [QA.repeat(41)] }),
    '/filters/neighbourhoods/0',
  ],
  ['an unknown filter', filters({ view: 'sea' }), '/filters/view'],
  ['an unknown order', aSearch({ sortKey: 'luck' }), '/sortKey'],
  ['a page of 51', aSearch({ pageSize: 51 }), '/pageSize'],
  ['a page of none', aSearch({ pageSize: 0 }), '/pageSize'],
  ['an endless cursor', aSearch({ cursor: 'x'.repeat(401) }), '/cursor'],
  ['an unknown member', aSearch({ tenantId: 'tnt_1' }), '/tenantId'],
]

describe('a search', () => {
  it.each(INVALID)('with %s is rejected by pointer', async (_what, json, pointer) => {
    const answer = await post(fixture.service.url, '/search', { json })
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect([answer.status, answer.body['code']]).toEqual([
      400,
      'MELMASTOON.GENERAL.VALIDATION_FAILED',
    ])
    const errors = answer.body['errors'] as { pointer: string }[]
    expect(errors.map((error) => error.pointer)).toContain(pointer)
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
    const answer = await post(fixture.service.url, '/search', {
      json: dates(somewhere, dayFromNow(1)),
    })
    expect(answer.status).toBe(200)
    taken += 1
  })

  it('across the antimeridian is accepted', async () => {
    const boundingBox = { swLat: -20, swLng: 176, neLat: -15, neLng: -178 }
    const answer = await post(fixture.service.url, '/search', {
      json: geo({ mode: 'bounding-box', boundingBox }),
    })
    expect(answer.status).toBe(200)
    taken += 1
  })
})

/** What never reaches a feature. */
const REFUSED = [
  ['a malformed body', 400, 'MALFORMED_BODY', { raw: '{"geo":' }],
  ['a body of the wrong type', 400, 'VALIDATION_FAILED', { raw: '[]' }],
  ['a __proto__ key', 400, 'MALFORMED_BODY', { raw: '{"__proto__":{"x":1}}' }],
  ['a body of 65 KiB', 413, 'PAYLOAD_TOO_LARGE', { json: { cursor: 'a'.repeat(66_000) } }],
  [
    'plain text',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    { json: aSearch(), headers: { 'content-type': 'text/plain' } },
  ],
  [
    'another site',
    403,
    'CROSS_SITE_REQUEST',
    { json: aSearch(), headers: { 'sec-fetch-site': 'same-site' } },
  ],
] as const

describe('both routes', () => {
  it.each(REFUSED)('reject %s', async (_what, status, code, options) => {
    for (const path of ['/search', '/session']) {
      const answer = await post(fixture.service.url, path, options)
      expect([answer.status, answer.body['code']]).toEqual([status, `MELMASTOON.GENERAL.${code}`])
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
