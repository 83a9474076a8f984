import fc from 'fast-check'
import { r1, s1, s2 } from 's2js'
import { describe, expect, it } from 'vitest'
import { drawMap } from '../../src/modules/search/draw-map.ts'
import { CITIES } from '../../src/world/cities.ts'
import { bruteForce } from './brute-force.ts'
import { loadWorld } from './load-world.ts'
import { requestOf, worldOf } from './start-search.ts'

const world = worldOf(900)
const index = loadWorld(world)
const now = new Date()
const expectedOf = bruteForce(world, now)

const RADIANS = Math.PI / 180

interface Box {
  readonly swLat: number
  readonly swLng: number
  readonly neLat: number
  readonly neLng: number
}

const wrap = (lng: number) => ((((lng + 180) % 360) + 360) % 360) - 180

/** Around a city, from a street to half of the world, also across the antimeridian. */
const box: fc.Arbitrary<Box> = fc
  .tuple(
    fc.constantFrom(...CITIES),
    fc.double({ min: 0.001, max: 80, noNaN: true }),
    fc.double({ min: 0.001, max: 170, noNaN: true }),
  )
  .map(([city, up, aside]) => ({
    swLat: Math.max(-90, city.lat - up),
    neLat: Math.min(90, city.lat + up),
    swLng: wrap(city.lng - aside),
    neLng: wrap(city.lng + aside),
  }))
const limit = fc.constantFrom(4, 20, 250)

const drawn = (boundingBox: Box, most: number) => {
  const { sortKey: _none, limit: _other, ...criteria } = requestOf()
  const request = { ...criteria, geo: { mode: 'bounding-box' as const, boundingBox }, limit: most }
  const expected = expectedOf({ ...request, sortKey: 'recommended' })
  return { ...drawMap(index, request, now), expected }
}

const rectOf = ({ swLat, swLng, neLat, neLng }: Box) =>
  new s2.Rect(
    new r1.Interval(swLat * RADIANS, neLat * RADIANS),
    s1.Interval.fromEndpoints(swLng * RADIANS, neLng * RADIANS),
  )
const pointOf = ({ lat, lng }: { lat: number; lng: number }) => s2.LatLng.fromDegrees(lat, lng)

describe('C20 pins and clusters of a map', () => {
  it('sum to the total, and are never more than the limit', () => {
    let clustered = 0
    fc.assert(
      fc.property(box, limit, (boundingBox, most) => {
        const { total, pins, clusters = [], expected } = drawn(boundingBox, most)
        clustered += clusters.length
        expect(total).toBe(expected.length)
        expect(pins.length + clusters.reduce((sum, { count }) => sum + count, 0)).toBe(total)
        expect(pins.length + clusters.length).toBeLessThanOrEqual(most)
        expect(clusters.length > 0 || total <= most || pins.length === total).toBe(true)
      }),
      { numRuns: 300 },
    )
    expect(clustered).toBeGreaterThan(100)
  })

  it('a cluster has exactly the hotels of its box that are not pins or in other clusters', () => {
    fc.assert(
      fc.property(box, limit, (boundingBox, most) => {
        const { pins, clusters = [], expected } = drawn(boundingBox, most)
        const shown = new Set<string>(pins.map(({ propertyId }) => propertyId))
        const rest = expected.filter(({ propertyId }) => !shown.has(propertyId))
        const rects = clusters.map((cluster) => ({ ...cluster, rect: rectOf(cluster.box) }))
        for (const { count, rect, geo } of rects) {
          // Cells do not overlap, so neither do the boxes inside them.
          expect(rest.filter((hotel) => rect.containsLatLng(pointOf(hotel)))).toHaveLength(count)
          const { lat, lng } = geo
          expect(lat).toBeGreaterThanOrEqual(rect.lat.lo / RADIANS - 1e-5)
          expect(lat).toBeLessThanOrEqual(rect.lat.hi / RADIANS + 1e-5)
          expect(lng).toBeGreaterThanOrEqual(rect.lng.lo / RADIANS - 1e-5)
          expect(lng).toBeLessThanOrEqual(rect.lng.hi / RADIANS + 1e-5)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('keep their hotels when the map is moved a little', () => {
    const kabul = CITIES.find(({ key }) => key === 'kabul')
    if (kabul === undefined) throw new Error('no Kabul')
    const around = (shift: number): Box => ({
      swLat: kabul.lat - 8,
      neLat: kabul.lat + 8,
      swLng: kabul.lng - 8 + shift,
      neLng: kabul.lng + 8 + shift,
    })
    const countsOf = (shift: number) =>
      drawn(around(shift), 20)
        .clusters?.map(({ count }) => count)
        .toSorted((a, b) => b - a)[0]
    expect(countsOf(0.01)).toBe(countsOf(0))
  })

  it('without clusters every hotel is a pin with its name and price', () => {
    const { pins, clusters, expected } = drawn(
      { swLat: 34, swLng: 67, neLat: 35.5, neLng: 68.5 },
      250,
    )
    expect(clusters).toBeUndefined()
    expect(pins.map(({ propertyId }) => propertyId).toSorted()).toEqual(
      expected.map(({ propertyId }) => propertyId).toSorted(),
    )
    expect(pins.every(({ name }) => name !== undefined)).toBe(true)
    expect(pins.some(({ cheapestNightly }) => cheapestNightly !== undefined)).toBe(true)
  })
})
