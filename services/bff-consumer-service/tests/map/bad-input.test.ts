import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countStarts } from '../harness/guest-sessions.ts'
import {
  KABUL,
  mapRequest,
  outcomeOf,
  pointersOf,
  searchMap,
  WHOLE_WORLD,
} from '../harness/map-client.ts'
import { dayFromNow, type Fixture, post, startFixture } from '../harness/start-consumer.ts'

let fixture: Fixture
let started: () => number

beforeAll(async () => {
  fixture = await startFixture()
  started = countStarts(fixture.service)
})
afterAll(() => fixture[Symbol.asyncDispose]())

let taken = 0
const box = (over: Record<string, unknown>) => mapRequest({}, { ...KABUL, ...over })
const geo = (over: Record<string, unknown>) => ({ ...mapRequest(), geo: over })
const POINT = { lat: 34.5, lng: 69.2, radiusKm: 5 }

const INVALID: readonly (readonly [string, unknown, string])[] = [
  ['no area', { ...mapRequest(), geo: undefined }, '/geo'],
  ['an unknown mode', geo({ mode: 'planet' }), '/geo/mode'],
  ['no box', geo({ mode: 'bounding-box' }), '/geo/boundingBox'],
  ['a box and a city', geo({ mode: 'bounding-box', boundingBox: KABUL, city: 'x' }), '/geo/city'],
  ['swapped corners', box({ swLat: 35, neLat: 34 }), '/geo/boundingBox/neLat'],
  ['a missing corner', box({ neLng: undefined }), '/geo/boundingBox/neLng'],
  ['an unknown corner', box({ altitude: 1 }), '/geo/boundingBox/altitude'],
  ['beyond the pole', box({ neLat: 90.0001 }), '/geo/boundingBox/neLat'],
  ['beyond the south pole', box({ swLat: -90.0001 }), '/geo/boundingBox/swLat'],
  ['east of 180', box({ neLng: 180.0001 }), '/geo/boundingBox/neLng'],
  ['west of -180', box({ swLng: -181 }), '/geo/boundingBox/swLng'],
  ['a corner as text', box({ swLng: '69' }), '/geo/boundingBox/swLng'],
  ['a null corner', box({ swLng: null }), '/geo/boundingBox/swLng'],
  ['no dates', { ...mapRequest(), dates: undefined }, '/dates'],
  ['a check-out before the check-in', mapRequest({ dates: period(5, 4) }), '/dates/checkOut'],
  ['dates in the past', mapRequest({ dates: period(-3, 2) }), '/dates/checkIn'],
  ['31 nights', mapRequest({ dates: period(1, 32) }), '/dates/checkOut'],
  ['zero adults', mapRequest({ occupancy: { adults: 0 } }), '/occupancy/adults'],
  ['an unknown filter', mapRequest({ filters: { view: 'sea' } }), '/filters/view'],
  [
    'a minimum price above the maximum',
    mapRequest({ filters: { priceRange: range(2, 1) } }),
    '/filters/priceRange/max',
  ],
  ['an invalid target', mapRequest({ targetPropertyId: 'the second' }), '/targetPropertyId'],
  [
    'a tenant id as target',
    mapRequest({ targetPropertyId: `tnt_${'0'.repeat(26)}` }),
    '/targetPropertyId',
  ],
  ['a sort order', mapRequest({ sortKey: 'price-asc' }), '/sortKey'],
  ['a cursor', mapRequest({ cursor: 'x' }), '/cursor'],
  ['a page size', mapRequest({ pageSize: 1_000 }), '/pageSize'],
]

function period(from: number, to: number) {
  return { checkIn: dayFromNow(from), checkOut: dayFromNow(to) }
}

function range(min: number, max: number) {
  return { min, max, currency: 'AFN' }
}

describe('a map', () => {
  it.each(INVALID)('with %s is rejected by pointer', async (_what, json, pointer) => {
    const response = await searchMap(fixture.service.url, json)
    expect(outcomeOf(response)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(pointersOf(response)).toContain(pointer)
  })

  it.each([
    ['point', { point: POINT }],
    ['city', { city: 'kabul' }],
    ['region', { region: 'kabul' }],
  ])('of a %s is rejected with its own code', async (mode, member) => {
    const response = await searchMap(fixture.service.url, geo({ mode, ...member }))
    expect(outcomeOf(response)).toEqual([422, 'MELMASTOON.SEARCH.AREA_INVALID'])
    expect(response.body['errors']).toMatchObject([{ pointer: '/geo/mode', code: 'unsupported' }])
  })

  it.each([
    ['locale', 'de', 'LOCALE_NOT_SUPPORTED'],
    ['currency', 'XAU', 'CURRENCY_NOT_SUPPORTED'],
  ])('with an unknown %s is rejected with its own code', async (name, value, code) => {
    const response = await searchMap(fixture.service.url, mapRequest({ [name]: value }))
    expect(outcomeOf(response)).toEqual([422, `MELMASTOON.BFF.CONSUMER.${code}`])
    expect(pointersOf(response)).toEqual([`/${name}`])
  })

  it.each([
    ['the whole world', WHOLE_WORLD],
    ['both sides of the antimeridian', { swLat: -20, swLng: 176, neLat: -15, neLng: -178 }],
    ['the antimeridian itself', { swLat: -90, swLng: 180, neLat: 90, neLng: -180 }],
    ['a pole', { swLat: 90, swLng: -180, neLat: 90, neLng: 180 }],
    ['a point', { swLat: 34.5, swLng: 69.2, neLat: 34.5, neLng: 69.2 }],
    ['a line', { swLat: 34.5, swLng: 60, neLat: 34.5, neLng: 70 }],
    ['negative zero', { swLat: -0, swLng: -0, neLat: 0, neLng: 0 }],
  ])('of %s is returned', async (_what, area) => {
    expect((await searchMap(fixture.service.url, mapRequest({}, area))).status).toBe(200)
    taken += 1
  })

  it.each([
    ['a malformed body', 400, 'MALFORMED_BODY', { raw: '{"geo":' }],
    ['a list', 400, 'VALIDATION_FAILED', { raw: '[]' }],
    ['a __proto__ key', 400, 'MALFORMED_BODY', { raw: '{"__proto__":{"x":1}}' }],
    ['a number out of range', 400, 'VALIDATION_FAILED', { raw: beyondNumbers() }],
    ['another site', 403, 'CROSS_SITE_REQUEST', { headers: { 'sec-fetch-site': 'cross-site' } }],
  ] as const)('requested with %s is rejected', async (_what, status, code, options) => {
    const json = mapRequest()
    const response = await post(fixture.service.url, '/search/map', { json, ...options })
    expect(outcomeOf(response)).toEqual([status, `MELMASTOON.GENERAL.${code}`])
  })
})

function beyondNumbers(): string {
  return JSON.stringify(mapRequest()).replace('"neLat":35', '"neLat":1e400')
}

it('only accepted requests started a session, and no other request went upstream', async () => {
  expect(started()).toBe(taken)
  expect(fixture.upstreams.count('search')).toBe(taken)
})
