import type { SearchFilters } from '@melmastoon/upstream-contracts/search'
import type { Static } from 'typebox'
import { AMENITIES_MAX, AMENITY_WORDS } from '../index/columns.ts'
import type { ListingIndex } from '../index/listing-index.ts'

export type Filters = Static<typeof SearchFilters>

export const FILTER_NAMES = [
  'amenities',
  'starRating',
  'guestRating',
  'propertyType',
  'neighbourhoods',
  'price',
] as const

export type FilterName = (typeof FILTER_NAMES)[number]

/** The tests of filters that are set; each can be left out to count its own facet. */
export type FilterTests = Partial<Record<FilterName, RowTest>>

/** An empty list does not filter. Prices and cancellation terms are those of the shown offer. */
export function planFilters(index: ListingIndex, filters: Filters): FilterTests {
  const tests = {
    amenities: amenitiesTest(index, filters.amenities ?? []),
    starRating: starsTest(index, filters.starRating ?? []),
    guestRating: ratingTest(index, filters.guestRatingMin ?? 0),
    propertyType: typesTest(index, filters.propertyType ?? []),
    neighbourhoods: neighbourhoodsTest(index, filters.neighbourhoods ?? []),
  }
  return Object.fromEntries(Object.entries(tests).filter(([, test]) => test !== null))
}

/** All requested amenities are required. */
function amenitiesTest(index: ListingIndex, requested: readonly string[]): RowTest | null {
  if (requested.length === 0) return null
  const { amenities } = index.columns
  const wanted = new Uint32Array(AMENITY_WORDS)
  for (const amenity of requested) {
    const number = index.amenities.find(amenity)
    if (number === undefined || number >= AMENITIES_MAX) return () => false
    wanted[number >> 5] = (wanted[number >> 5] ?? 0) | (1 << (number & 31))
  }
  return (row) => {
    for (let word = 0; word < AMENITY_WORDS; word += 1) {
      const missing = (wanted[word] ?? 0) & ~(amenities[row * AMENITY_WORDS + word] ?? 0)
      if (missing !== 0) return false
    }
    return true
  }
}

function starsTest({ columns }: ListingIndex, requested: readonly number[]): RowTest | null {
  if (requested.length === 0) return null
  const mask = requested.reduce((bits, stars) => bits | (1 << stars), 0)
  return (row) => (mask & (1 << (columns.stars[row] ?? 0))) !== 0
}

/** Hotels without a rating do not meet a minimum. */
function ratingTest({ columns }: ListingIndex, minimum: number): RowTest | null {
  return minimum === 0 ? null : (row) => (columns.rating[row] ?? 0) >= minimum
}

function typesTest({ columns, propertyTypes }: ListingIndex, requested: readonly string[]) {
  if (requested.length === 0) return null
  const numbers = new Set(requested.flatMap((type) => propertyTypes.find(type) ?? []))
  return (row: number) => numbers.has(columns.propertyType[row] ?? -1)
}

/**
 * By name in any language, or by key with its city: neighbourhoods of several towns share a name.
 */
function neighbourhoodsTest(index: ListingIndex, requested: readonly string[]): RowTest | null {
  if (requested.length === 0) return null
  const { columns, cities, neighbourhoods, places } = index
  const pairs = new Set<number>()
  for (const name of requested) {
    const exact = places.get('neighbourhood', name)
    for (const { key } of exact ? [exact] : places.resolve('neighbourhood', name)) {
      const slash = key.indexOf('/')
      const city = cities.find(key.slice(0, slash))
      const quarter = neighbourhoods.find(key.slice(slash + 1))
      if (city !== undefined && quarter !== undefined) pairs.add(pairOf(city, quarter))
    }
  }
  const spelledOut = new Set(requested.flatMap((name) => neighbourhoods.find(name) ?? []))
  return (row) => {
    const quarter = columns.neighbourhood[row] ?? 0
    return spelledOut.has(quarter) || pairs.has(pairOf(columns.city[row] ?? 0, quarter))
  }
}

function pairOf(city: number, quarter: number): number {
  return city * 0x1_0000 + quarter
}

/** Whether a listing matches. The cheapest tests run first. */
export type RowTest = (row: number) => boolean
