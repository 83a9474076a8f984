import fc from 'fast-check'
import { r1, s1, s2 } from 's2js'
import { describe, expect, it } from 'vitest'
import { type BoundingBox, boxCentre, boxContains } from './bounding-box.ts'

const RADIANS = Math.PI / 180

/** Grid values make edges, corners and the antimeridian frequent; the rest is arbitrary. */
const latitude = fc.oneof(
  fc.integer({ min: -6, max: 6 }).map((step) => step * 15),
  fc.integer({ min: -90e7, max: 90e7 }).map((units) => units / 1e7),
)
const longitude = fc.oneof(
  fc.integer({ min: -12, max: 12 }).map((step) => step * 15),
  fc.integer({ min: -180e7, max: 180e7 }).map((units) => units / 1e7),
)
const box = fc
  .record({ a: latitude, b: latitude, swLng: longitude, neLng: longitude })
  .map(({ a, b, swLng, neLng }) => ({
    swLat: Math.min(a, b),
    neLat: Math.max(a, b),
    swLng,
    neLng,
  }))

function s2Contains({ swLat, swLng, neLat, neLng }: BoundingBox, lat: number, lng: number) {
  const rect = new s2.Rect(
    new r1.Interval(swLat * RADIANS, neLat * RADIANS),
    s2Longitudes(swLng, neLng),
  )
  return rect.containsLatLng(s2.LatLng.fromDegrees(lat, lng))
}

/** S2 normalizes the antimeridian and treats the range from 180 to -180 as empty. */
function s2Longitudes(swLng: number, neLng: number) {
  if (swLng === 180 && neLng === -180) return s1.Interval.fromEndpoints(Math.PI, Math.PI)
  return s1.Interval.fromEndpoints(swLng * RADIANS, neLng * RADIANS)
}

describe('bounding box against S2', () => {
  it('agrees on any box and any point off the poles', () => {
    const point = fc.record({ lat: latitude, lng: longitude })
    fc.assert(
      fc.property(box, point, (area, { lat, lng }) => {
        fc.pre(Math.abs(lat) < 90)
        expect(boxContains(area, lat, lng)).toBe(s2Contains(area, lat, lng))
      }),
      { numRuns: 20_000 },
    )
  })

  it('agrees on corners and on the middle', () => {
    fc.assert(
      fc.property(box, (area) => {
        fc.pre(Math.abs(area.swLat) < 90 && Math.abs(area.neLat) < 90)
        const middle = boxCentre(area)
        expect(boxContains(area, area.swLat, area.swLng)).toBe(true)
        expect(boxContains(area, area.neLat, area.neLng)).toBe(true)
        expect(boxContains(area, middle.lat, middle.lng)).toBe(true)
        expect(s2Contains(area, middle.lat, middle.lng)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('bounding box at the antimeridian and the poles', () => {
  const fiji = { swLat: -20, swLng: 176, neLat: -15, neLng: -178 }

  it.each([
    ['Suva', -18.14, 178.44, true],
    ['Taveuni, beyond the antimeridian', -16.85, -179.97, true],
    ['the antimeridian itself, as 180 or -180', -16, 180, true],
    ['the antimeridian itself, as 180 or -180', -16, -180, true],
    ['Apia', -13.83, -171.77, false],
    ['Kabul', 34.53, 69.17, false],
  ])('around Fiji: %s', (_, lat, lng, expected) => {
    expect(boxContains(fiji, lat, lng)).toBe(expected)
  })

  it.each([
    ['ends at the antimeridian', { swLat: 0, swLng: 170, neLat: 10, neLng: 180 }],
    ['begins at the antimeridian', { swLat: 0, swLng: -180, neLat: 10, neLng: -170 }],
  ])('%s: both notations of the meridian are inside', (_, area) => {
    expect(boxContains(area, 5, 180)).toBe(true)
    expect(boxContains(area, 5, -180)).toBe(true)
  })

  it('the whole world contains every point', () => {
    const world = { swLat: -90, swLng: -180, neLat: 90, neLng: 180 }
    fc.assert(fc.property(latitude, longitude, (lat, lng) => boxContains(world, lat, lng)))
  })

  it('a box without area is a point', () => {
    const point = { swLat: 34.5, swLng: 69.1, neLat: 34.5, neLng: 69.1 }
    expect(boxContains(point, 34.5, 69.1)).toBe(true)
    expect(boxContains(point, 34.5, 69.2)).toBe(false)
  })

  it('a box that reaches a pole contains it, at any longitude', () => {
    const cap = { swLat: 80, swLng: 0, neLat: 90, neLng: 10 }
    expect(boxContains(cap, 90, 123)).toBe(true)
    expect(boxContains(cap, 89.9, 123)).toBe(false)
    expect(boxContains(cap, -90, 5)).toBe(false)
  })

  it('the centre of a box across the antimeridian is on it, not on the opposite side', () => {
    expect(boxCentre({ swLat: 0, swLng: 170, neLat: 10, neLng: -170 })).toEqual({
      lat: 5,
      lng: 180,
    })
    expect(boxCentre({ swLat: 0, swLng: 178, neLat: 0, neLng: -170 }).lng).toBe(-176)
  })
})
