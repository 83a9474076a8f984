import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areaTags, EVERY_PAGE, placeTags, WIDE_PAGES } from './place-tags.ts'

const place = (over: Partial<Parameters<typeof placeTags>[0]> = {}) => ({
  city: 'mazar-i-sharif',
  cityName: { default: 'Mazar-i-Sharif', localized: { 'fa-AF': 'مزار شریف' } },
  region: 'balkh',
  geo: { lat: 36.7, lng: 67.1 },
  ...over,
})

/** Whether a change at the place invalidates the page of the area. */
function overlaps(area: Parameters<typeof areaTags>[0], at = place()): boolean {
  const invalidated = new Set(placeTags(at))
  return areaTags(area).some((tag) => invalidated.has(tag))
}

/** In ten-thousandths of a degree, as queries are rounded; whole, so that nothing slips. */
const UNITS = 10_000
const latitude = fc.integer({ min: -90 * UNITS, max: 90 * UNITS })
const longitude = fc.integer({ min: -180 * UNITS, max: 180 * UNITS })
const TURN = 360 * UNITS

describe('tags of an area', () => {
  it.each([
    ['mazar-i-sharif', true],
    ['Mazar-i-Sharif', true],
    ['mazar i sharif', true],
    ['مزار شریف', true],
    ['kabul', false],
    ['کابل', false],
  ])('a city named %s: %s', (city, expected) => {
    expect(overlaps({ mode: 'city', city })).toBe(expected)
  })

  it.each([
    ['balkh', true],
    ['بلخ', true],
    ['herat', false],
  ])('a region named %s: %s', (region, expected) => {
    expect(overlaps({ mode: 'region', region })).toBe(expected)
  })

  it('a box matches every place within, also across the antimeridian', () => {
    const box = fc.record({ a: latitude, b: latitude, swLng: longitude, neLng: longitude })
    const share = fc.record({ up: fc.nat(1_000), along: fc.nat(1_000) })
    fc.assert(
      fc.property(box, share, ({ a, b, swLng, neLng }, { up, along }) => {
        const [swLat, neLat] = [Math.min(a, b), Math.max(a, b)]
        const width = swLng <= neLng ? neLng - swLng : neLng - swLng + TURN
        const lat = swLat + Math.floor(((neLat - swLat) * up) / 1_000)
        const lng = swLng + Math.floor((width * along) / 1_000)
        const degrees = (units: number) => units / UNITS
        const geo = { lat: degrees(lat), lng: degrees(lng > TURN / 2 ? lng - TURN : lng) }
        const boundingBox = {
          swLat: degrees(swLat),
          swLng: degrees(swLng),
          neLat: degrees(neLat),
          neLng: degrees(neLng),
        }
        expect(overlaps({ mode: 'bounding-box', boundingBox }, place({ geo }))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('a circle matches near places, and not distant ones', () => {
    const around = (radiusKm: number) =>
      overlaps({ mode: 'point', point: { lat: 36.75, lng: 67.2, radiusKm } })
    expect(around(20)).toBe(true)
    expect(overlaps({ mode: 'point', point: { lat: 34.5, lng: 69.2, radiusKm: 20 } })).toBe(false)
  })

  it('a very large area has the tag of wide pages, and every page has the common tag', () => {
    const world = { swLat: -90, swLng: -180, neLat: 90, neLng: 180 }
    expect(areaTags({ mode: 'bounding-box', boundingBox: world })).toEqual([EVERY_PAGE, WIDE_PAGES])
    expect(areaTags({ mode: 'city', city: 'x' })).toContain(EVERY_PAGE)
  })

  it('never has more tags than an entry may', () => {
    const point = fc.record({
      lat: latitude.map((units) => units / UNITS),
      lng: longitude.map((units) => units / UNITS),
      radiusKm: fc.double({ min: 0.1, max: 500, noNaN: true }),
    })
    fc.assert(
      fc.property(point, (at) => {
        const tags = areaTags({ mode: 'point', point: at })
        expect(tags.length).toBeLessThanOrEqual(10)
        expect(tags.every((tag) => /^[\x21-\x7e]{1,200}$/.test(tag))).toBe(true)
      }),
    )
  })
})
