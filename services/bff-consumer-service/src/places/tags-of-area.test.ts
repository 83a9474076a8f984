import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVERY_PAGE, tagsOfArea, tagsOfPlace, WIDE_PAGES } from './tags-of-area.ts'

const place = (over: Partial<Parameters<typeof tagsOfPlace>[0]> = {}) => ({
  city: 'mazar-i-sharif',
  cityName: { default: 'Mazar-i-Sharif', localized: { 'fa-AF': 'مزار شریف' } },
  region: 'balkh',
  geo: { lat: 36.7, lng: 67.1 },
  ...over,
})

/** Whether a change at the place renews the page of the area. */
function meets(area: Parameters<typeof tagsOfArea>[0], at = place()): boolean {
  const renewed = new Set(tagsOfPlace(at))
  return tagsOfArea(area).some((tag) => renewed.has(tag))
}

const latitude = fc.double({ min: -90, max: 90, noNaN: true })
const longitude = fc.double({ min: -180, max: 180, noNaN: true })

describe('tags of an area', () => {
  it.each([
    ['mazar-i-sharif', true],
    ['Mazar-i-Sharif', true],
    ['mazar i sharif', true],
    ['مزار شریف', true],
    ['kabul', false],
    ['کابل', false],
  ])('a town asked for as %s: %s', (city, expected) => {
    expect(meets({ mode: 'city', city })).toBe(expected)
  })

  it.each([
    ['balkh', true],
    ['بلخ', true],
    ['herat', false],
  ])('a region asked for as %s: %s', (region, expected) => {
    expect(meets({ mode: 'region', region })).toBe(expected)
  })

  it('a box meets every place within, also across the antimeridian', () => {
    const box = fc.record({ a: latitude, b: latitude, swLng: longitude, neLng: longitude })
    fc.assert(
      fc.property(box, fc.double({ min: 0, max: 1, noNaN: true }), ({ a, b, ...lngs }, share) => {
        const [swLat, neLat] = [Math.min(a, b), Math.max(a, b)]
        const width =
          lngs.swLng <= lngs.neLng ? lngs.neLng - lngs.swLng : 360 + lngs.neLng - lngs.swLng
        const lng = lngs.swLng + width * share
        const geo = { lat: swLat + (neLat - swLat) * share, lng: lng > 180 ? lng - 360 : lng }
        const area = { mode: 'bounding-box', boundingBox: { swLat, neLat, ...lngs } } as const
        expect(meets(area, place({ geo }))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('a circle meets what is near, and not what is far', () => {
    const around = (radiusKm: number) =>
      meets({ mode: 'point', point: { lat: 36.75, lng: 67.2, radiusKm } })
    expect(around(20)).toBe(true)
    expect(meets({ mode: 'point', point: { lat: 34.5, lng: 69.2, radiusKm: 20 } })).toBe(false)
  })

  it('what is too wide is renewed with everything, and everything has the one tag of all', () => {
    const world = { swLat: -90, swLng: -180, neLat: 90, neLng: 180 }
    expect(tagsOfArea({ mode: 'bounding-box', boundingBox: world })).toEqual([
      EVERY_PAGE,
      WIDE_PAGES,
    ])
    expect(tagsOfArea({ mode: 'city', city: 'x' })).toContain(EVERY_PAGE)
  })

  it('never has more tags than an entry may', () => {
    const point = fc.record({
      lat: latitude,
      lng: longitude,
      radiusKm: fc.double({ min: 0.1, max: 500, noNaN: true }),
    })
    fc.assert(
      fc.property(point, (at) => {
        const tags = tagsOfArea({ mode: 'point', point: at })
        expect(tags.length).toBeLessThanOrEqual(10)
        expect(tags.every((tag) => /^[\x21-\x7e]{1,200}$/.test(tag))).toBe(true)
      }),
    )
  })
})
