import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planPage } from './plan-page.ts'
import type { SearchBody } from './search-schema.ts'

const NOW = new Date('2026-03-21T09:00:00.000Z')
const PREFERENCES = { locale: 'en', currency: 'AFN' } as const

const words = fc.array(fc.constantFrom('wifi', 'halal-kitchen', 'garden', 'parking'), {
  maxLength: 4,
})
const filters = fc.record(
  {
    amenities: words,
    neighbourhoods: words,
    starRating: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 5 }),
    guestRatingMin: fc.integer({ min: 0, max: 10 }),
    priceRange: fc.constant({ min: 1, max: 2, currency: 'AFN' as const }),
    cancellationFlexibility: fc.constantFrom('any' as const, 'free' as const),
  },
  { requiredKeys: [] },
)

function body(over: Partial<SearchBody>): SearchBody {
  return {
    geo: { mode: 'city', city: 'kabul' },
    dates: { checkIn: '2026-04-01', checkOut: '2026-04-03' },
    occupancy: { adults: 2, children: 2, rooms: 1, childrenAges: [9, 4] },
    ...over,
  } as SearchBody
}

const keyOf = (requested: SearchBody) => planPage(requested, PREFERENCES, NOW).pageKey

/** The same value with members and list items in another order, and items said twice. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, ...value].reverse().map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).reverse()
  return Object.fromEntries(members.map(([name, member]) => [name, shuffled(member)]))
}

describe('a search query', () => {
  it('is independent of the order and repetition of its members', () => {
    fc.assert(
      fc.property(filters, (original) => {
        const other = shuffled(original) as SearchBody['filters'] & object
        expect(keyOf(body({ filters: other }))).toBe(keyOf(body({ filters: original })))
      }),
    )
  })

  it('differs for every relevant difference (SF-09)', () => {
    const variants: Partial<SearchBody>[] = [
      {},
      { geo: { mode: 'city', city: 'herat' } },
      { geo: { mode: 'region', region: 'kabul' } },
      { geo: { mode: 'point', point: { lat: 34.5, lng: 69.2, radiusKm: 5 } } },
      { geo: { mode: 'point', point: { lat: 34.5, lng: 69.2, radiusKm: 6 } } },
      { geo: { mode: 'bounding-box', boundingBox: { swLat: 1, swLng: 2, neLat: 3, neLng: 4 } } },
      { geo: { mode: 'bounding-box', boundingBox: { swLat: 1, swLng: 4, neLat: 3, neLng: 2 } } },
      { occupancy: { adults: 2, children: 2, childrenAges: [9, 5] } },
      { occupancy: { adults: 2, children: 2 } },
      { occupancy: { adults: 2, rooms: 2 } },
      { filters: { amenities: ['wifi'] } },
      { filters: { neighbourhoods: ['wifi'] } },
      { filters: { starRating: [3] } },
      { filters: { guestRatingMin: 3 } },
      { filters: { priceRange: { min: 1, max: 2, currency: 'AFN' } } },
      { filters: { priceRange: { min: 1, max: 2, currency: 'USD' } } },
      { sortKey: 'price-asc' },
      { pageSize: 21 },
      { cursor: 'a' },
      { cursor: 'a" "b' },
    ]
    const keys = variants.map((variant) => keyOf(body(variant)))
    expect(new Set(keys).size).toBe(variants.length)
  })

  it('has one hash over all its pages, in every language', () => {
    const hashOf = (requested: SearchBody) => planPage(requested, PREFERENCES, NOW).queryHash
    expect(hashOf(body({ cursor: 'x', pageSize: 5 }))).toBe(hashOf(body({})))
    expect(hashOf(body({}))).toMatch(/^sha256:[0-9a-f]{64}$/)
  })

  it('is the same for neighbouring points and for spellings of a name', () => {
    const at = (lat: number) =>
      keyOf(body({ geo: { mode: 'point', point: { lat, lng: -0, radiusKm: 5 } } }))
    expect(at(34.500_001)).toBe(at(34.499_999))
    const named = (city: string) => keyOf(body({ geo: { mode: 'city', city } }))
    expect(named('  Mazar-i-Sharif ')).toBe(named('mazar-i-sharif'))
    expect(named('کابل')).not.toBe(named('هرات'))
  })
})
