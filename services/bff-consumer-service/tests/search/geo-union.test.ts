import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fixture, post, searchRequest, startFixture } from '../harness/start-consumer.ts'

const document = JSON.parse(
  readFileSync(new URL('../../contracts/openapi.json', import.meta.url), 'utf8'),
)

let fixture: Fixture
let published: ValidateFunction

beforeAll(async () => {
  // Keywords of OpenAPI are no assertions.
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema(document, 'document')
  const schema = ajv.getSchema('document#/components/schemas/GeoQuery')
  if (schema === undefined) throw new Error('the document has no GeoQuery')
  published = schema
  fixture = await startFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** Whatever happens after the validation, on a busy machine too, the area was accepted. */
async function isAccepted(geo: unknown): Promise<boolean> {
  const { status, body, text } = await post(fixture.service.url, '/search', {
    json: searchRequest({ geo }),
  })
  if (status === 200 || status >= 500) return true
  expect([status, body['code']], text).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
  const errors = body['errors'] as { pointer: string }[]
  expect(errors.map(({ pointer }) => pointer.split('/')[1])).toContain('geo')
  return false
}

const POINT = { lat: 34.5, lng: 69.2, radiusKm: 5 }
const BOX = { swLat: 34, swLng: 69, neLat: 35, neLng: 70 }

const VALID: [string, unknown][] = [
  ['a city', { mode: 'city', city: 'kabul' }],
  ['a city in another script', { mode: 'city', city: 'کابل' }],
  ['a region', { mode: 'region', region: 'herat' }],
  ['the longest name', { mode: 'region', region: 'x'.repeat(80) }],
  ['a point', { mode: 'point', point: POINT }],
  ['the largest radius at a pole', { mode: 'point', point: { lat: 90, lng: -180, radiusKm: 500 } }],
  ['a box', { mode: 'bounding-box', boundingBox: BOX }],
  ['a box across the antimeridian', { mode: 'bounding-box', boundingBox: { ...BOX, swLng: 179 } }],
]

const INVALID: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a text', 'kabul'],
  ['an empty object', {}],
  ['no mode', { city: 'kabul' }],
  ['an unknown mode', { mode: 'planet', city: 'kabul' }],
  ['a mode without its member', { mode: 'city' }],
  ['the member of another mode', { mode: 'region', city: 'kabul' }],
  ['two members', { mode: 'city', city: 'kabul', region: 'kabul' }],
  ['an unknown member', { mode: 'city', city: 'kabul', country: 'AF' }],
  ['an empty name', { mode: 'city', city: '' }],
  ['a blank name', { mode: 'region', region: ' \u3000' }],
  ['a name of 81 characters', { mode: 'city', city: 'x'.repeat(81) }],
  ['a number as name', { mode: 'city', city: 7 }],
  ['a point without radius', { mode: 'point', point: { lat: 1, lng: 1 } }],
  ['a radius of 0', { mode: 'point', point: { ...POINT, radiusKm: 0 } }],
  ['a radius of 501', { mode: 'point', point: { ...POINT, radiusKm: 501 } }],
  ['a latitude of 91', { mode: 'point', point: { ...POINT, lat: 91 } }],
  ['a longitude as text', { mode: 'point', point: { ...POINT, lng: '69' } }],
  ['an unknown member of a point', { mode: 'point', point: { ...POINT, alt: 1 } }],
  ['an unknown member of a box', { mode: 'bounding-box', boundingBox: { ...BOX, alt: 1 } }],
  ['three edges', { mode: 'bounding-box', boundingBox: { swLat: 1, swLng: 1, neLat: 2 } }],
]

const MEMBER_OF = { city: 'city', region: 'region', point: 'point', 'bounding-box': 'boundingBox' }

const name = fc.constantFrom('kabul', 'هرات', 'x'.repeat(80), 'balkh', '', ' ', 'y'.repeat(81), 0)
const latitude = fc.constantFrom(-90, 0, 12, 34.5, 60, 90, -91, 91, '1', null)
const longitude = fc.constantFrom(-180, -60, 0, 69.2, 120, 180, -181, 181, '1', null)
const mostly = fc.integer({ min: 0, max: 9 }).map((number) => number > 0)

/** Mostly the member of the mode and no other, with values at and beyond the bounds. */
const area = fc
  .record({
    mode: fc.constantFrom('city', 'region', 'point', 'bounding-box', 'map'),
    members: fc.record({
      city: name,
      region: name,
      point: fc.record(
        { lat: latitude, lng: longitude, radiusKm: fc.constantFrom(0.1, 5, 500, 0, -1, 501) },
        { requiredKeys: ['lat', 'lng'] },
      ),
      // The same latitude twice: the order of edges is not part of the schema.
      boundingBox: fc
        .tuple(latitude, longitude, longitude)
        .map(([lat, swLng, neLng]) => ({ swLat: lat, swLng, neLat: lat, neLng })),
    }),
    isUsual: fc.record({ city: mostly, region: mostly, point: mostly, boundingBox: mostly }),
  })
  .map(({ mode, members, isUsual }) => {
    const own = MEMBER_OF[mode as keyof typeof MEMBER_OF]
    const sent = Object.entries(members).filter(
      ([member]) => (member === own) === isUsual[member as keyof typeof isUsual],
    )
    return { mode, ...Object.fromEntries(sent) }
  })

describe('the published union of areas and the service agree', () => {
  it.each(VALID)('to accept %s', async (_what, geo) => {
    expect([published(geo), await isAccepted(geo)]).toEqual([true, true])
  })

  it.each(INVALID)('to reject %s', async (_what, geo) => {
    expect([published(geo), await isAccepted(geo)]).toEqual([false, false])
  })

  it('about generated areas', async () => {
    const verdicts = { true: 0, false: 0 }
    await fc.assert(
      fc.asyncProperty(area, async (geo) => {
        const accepted = await isAccepted(geo)
        expect(published(geo), JSON.stringify(geo)).toBe(accepted)
        verdicts[`${accepted}`] += 1
      }),
      { numRuns: 100 },
    )
    expect(verdicts.true).toBeGreaterThan(0)
    expect(verdicts.false).toBeGreaterThan(0)
  })
})

/** The description of the schema states the first; both have a pointer in the response. */
const NOT_IN_SCHEMAS: [string, unknown][] = [
  [
    'a box with south above north',
    { mode: 'bounding-box', boundingBox: { ...BOX, neLat: BOX.swLat - 1 } },
  ],
  ['a name that Unicode normalization makes too long', { mode: 'city', city: '\u0958'.repeat(41) }],
]

it.each(NOT_IN_SCHEMAS)(
  'what JSON Schema cannot express is rejected by the service: %s',
  async (_what, geo) => {
    expect([published(geo), await isAccepted(geo)]).toEqual([true, false])
  },
)
