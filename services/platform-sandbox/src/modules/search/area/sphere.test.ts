import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import { s2 } from 's2js'
import { describe, expect, it } from 'vitest'
import {
  chordSquared,
  chordSquaredToKm,
  distanceKm,
  EARTH_RADIUS_KM,
  kmToChordSquared,
  toUnitVector,
} from './sphere.ts'

const point = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})
/** The maximum error of the sphere compared with the ellipsoid. */
const FLATTENING = 0.006

function s2Km(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const angle = s2.LatLng.fromDegrees(a.lat, a.lng).distance(s2.LatLng.fromDegrees(b.lat, b.lng))
  return angle * EARTH_RADIUS_KM
}

describe('distances', () => {
  it('agree with S2 worldwide', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        const expected = s2Km(a, b)
        // Near the antipode a rounding of the last digit amounts to metres, in both libraries.
        const tolerance = expected > 19_900 ? 0.5 : 1e-6 * (1 + expected)
        expect(Math.abs(distanceKm(a, b) - expected)).toBeLessThan(tolerance)
      }),
      { numRuns: 5_000 },
    )
  })

  it('are within 0.6 % of the geodesics on the ellipsoid', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        const { s12 = 0 } = geodesic.Geodesic.WGS84.Inverse(a.lat, a.lng, b.lat, b.lng)
        const metres = distanceKm(a, b) * 1_000
        expect(Math.abs(metres - s12)).toBeLessThanOrEqual(FLATTENING * s12 + 0.01)
      }),
      { numRuns: 2_000 },
    )
  })

  it('have a resolution of one metre', () => {
    const kabul = { lat: 34.5281, lng: 69.1723 }
    expect(distanceKm(kabul, { lat: 34.52811, lng: 69.1723 })).toBeCloseTo(0.001_112, 6)
    expect(distanceKm(kabul, kabul)).toBe(0)
  })
})

describe('a circle', () => {
  it('contains what S2 reports within its radius', () => {
    const radius = fc.double({ min: 0.001, max: 500, noNaN: true })
    const offset = fc.double({ min: -6, max: 6, noNaN: true })
    fc.assert(
      fc.property(point, offset, offset, radius, (a, up, right, radiusKm) => {
        const b = { lat: Math.max(-90, Math.min(90, a.lat + up)), lng: wrap(a.lng + right) }
        const expected = s2Km(a, b)
        fc.pre(Math.abs(expected - radiusKm) > 1e-6)
        const chord = chordSquared(toUnitVector(a), toUnitVector(b))
        expect(chord <= kmToChordSquared(radiusKm)).toBe(expected <= radiusKm)
      }),
      { numRuns: 20_000 },
    )
  })

  it('has the given radius', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 500, noNaN: true }), (km) => {
        expect(chordSquaredToKm(kmToChordSquared(km))).toBeCloseTo(km, 9)
      }),
    )
  })
})

function wrap(lng: number): number {
  if (lng > 180) return lng - 360
  return lng < -180 ? lng + 360 : lng
}
