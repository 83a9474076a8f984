import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countStarts } from '../harness/guest-sessions.ts'
import { aMap, askMap, KABUL, outcomeOf, pointersOf, WHOLE_WORLD } from '../harness/map-client.ts'
import { dayFromNow, type Fixture, post, startFixture } from '../harness/start-consumer.ts'

let fixture: Fixture
let started: () => number

beforeAll(async () => {
  fixture = await startFixture()
  started = countStarts(fixture.service)
})
afterAll(() => fixture[Symbol.asyncDispose]())

let taken = 0
const box = (over: Record<string, unknown>) => aMap({}, { ...KABUL, ...over })
const geo = (over: Record<string, unknown>) => ({ ...aMap(), geo: over })
const POINT = { lat: 34.5, lng: 69.2, radiusKm: 5 }

const INVALID: readonly (readonly [string, unknown, string])[] = [
  ['no area', { ...aMap(), geo: undefined }, '/geo'],
  ['an unknown mode', geo({ mode: 'planet' }), '/geo/mode'],
  ['no box', geo({ mode: 'bounding-box' }), '/geo/boundingBox'],
  ['a box and a city', geo({ mode: 'bounding-box', boundingBox: KABUL, city: 'x' }), '/geo/city'],
  ['swapped corners', box({ swLat: 35, neLat: 34 }), '/geo/boundingBox/neLat'],
  ['three sides', box({ neLng: undefined }), '/geo/boundingBox/neLng'],
  ['a fifth corner', box({ altitude: 1 }), '/geo/boundingBox/altitude'],
  ['beyond the pole', box({ neLat: 90.0001 }), '/geo/boundingBox/neLat'],
  ['beyond the south pole', box({ swLat: -90.0001 }), '/geo/boundingBox/swLat'],
  ['east of 180', box({ neLng: 180.0001 }), '/geo/boundingBox/neLng'],
  ['west of -180', box({ swLng: -181 }), '/geo/boundingBox/swLng'],
  ['a corner in words', box({ swLng: '69' }), '/geo/boundingBox/swLng'],
  ['no corner at all', box({ swLng: null }), '/geo/boundingBox/swLng'],
  ['no dates', { ...aMap(), dates: undefined }, '/dates'],
  ['leaving before arriving', aMap({ dates: period(5, 4) }), '/dates/checkOut'],
  ['the past', aMap({ dates: period(-3, 2) }), '/dates/checkIn'],
  ['31 nights', aMap({ dates: period(1, 32) }), '/dates/checkOut'],
  ['nobody', aMap({ occupancy: { adults: 0 } }), '/occupancy/adults'],
  ['a filter there is not', aMap({ filters: { view: 'sea' } }), '/filters/view'],
  ['prices upside down', aMap({ filters: { priceRange: range(2, 1) } }), '/filters/priceRange/max'],
  ['no hotel as target', aMap({ targetPropertyId: 'the second' }), '/targetPropertyId'],
  ['a tenant as target', aMap({ targetPropertyId: `tnt_${'0'.repeat(26)}` }), '/targetPropertyId'],
  ['an order', aMap({ sortKey: 'price-asc' }), '/sortKey'],
  ['a cursor', aMap({ cursor: 'x' }), '/cursor'],
  ['a page size', aMap({ pageSize: 1_000 }), '/pageSize'],
]

function period(from: number, to: number) {
  return { checkIn: dayFromNow(from), checkOut: dayFromNow(to) }
}

function range(min: number, max: number) {
  return { min, max, currency: 'AFN' }
}

describe('a map', () => {
  it.each(INVALID)('with %s is rejected by pointer', async (_what, json, pointer) => {
    const answer = await askMap(fixture.service.url, json)
    expect(outcomeOf(answer)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(pointersOf(answer)).toContain(pointer)
  })

  it.each([
    ['point', { point: POINT }],
    ['city', { city: 'kabul' }],
    ['region', { region: 'kabul' }],
  ])('of a %s is rejected with a code of its own', async (mode, member) => {
    const answer = await askMap(fixture.service.url, geo({ mode, ...member }))
    expect(outcomeOf(answer)).toEqual([422, 'MELMASTOON.SEARCH.AREA_INVALID'])
    expect(answer.body['errors']).toMatchObject([{ pointer: '/geo/mode', code: 'unsupported' }])
  })

  it.each([
    ['locale', 'de', 'LOCALE_NOT_SUPPORTED'],
    ['currency', 'XAU', 'CURRENCY_NOT_SUPPORTED'],
  ])('with an unknown %s is rejected with a code of its own', async (name, value, code) => {
    const answer = await askMap(fixture.service.url, aMap({ [name]: value }))
    expect(outcomeOf(answer)).toEqual([422, `MELMASTOON.BFF.CONSUMER.${code}`])
    expect(pointersOf(answer)).toEqual([`/${name}`])
  })

  it.each([
    ['the whole world', WHOLE_WORLD],
    ['both sides of the antimeridian', { swLat: -20, swLng: 176, neLat: -15, neLng: -178 }],
    ['the antimeridian itself', { swLat: -90, swLng: 180, neLat: 90, neLng: -180 }],
    ['a pole', { swLat: 90, swLng: -180, neLat: 90, neLng: 180 }],
    ['a point', { swLat: 34.5, swLng: 69.2, neLat: 34.5, neLng: 69.2 }],
    ['a line', { swLat: 34.5, swLng: 60, neLat: 34.5, neLng: 70 }],
    ['minus nothing', { swLat: -0, swLng: -0, neLat: 0, neLng: 0 }],
  ])('of %s is drawn', async (_what, area) => {
    expect((await askMap(fixture.service.url, aMap({}, area))).status).toBe(200)
    taken += 1
  })

  it.each([
    ['a malformed body', 400, 'MALFORMED_BODY', { raw: '{"geo":' }],
    ['a list', 400, 'VALIDATION_FAILED', { raw: '[]' }],
    ['a __proto__ key', 400, 'MALFORMED_BODY', { raw: '{"__proto__":{"x":1}}' }],
    ['a corner beyond numbers', 400, 'VALIDATION_FAILED', { raw: beyondNumbers() }],
    ['another site', 403, 'CROSS_SITE_REQUEST', { headers: { 'sec-fetch-site': 'cross-site' } }],
  ] as const)('requested with %s is rejected', async (_what, status, code, options) => {
    const json = aMap()
    const answer = await post(fixture.service.url, '/search/map', { json, ...options })
    expect(outcomeOf(answer)).toEqual([status, `MELMASTOON.GENERAL.${code}`])
  })
})

function beyondNumbers(): string {
  return JSON.stringify(aMap()).replace('"neLat":35', '"neLat":1e400')
}

it('only accepted requests started a session, and no other request went upstream', async () => {
  expect(started()).toBe(taken)
  expect(fixture.upstreams.count('search')).toBe(taken)
})
