import { problem } from '@melmastoon/domain'
import type { SearchFilters } from '@melmastoon/upstream-contracts/search'
import type { Static } from 'typebox'
import { AMENITIES_MAX, AMENITY_WORDS } from '../index/columns.ts'
import { convertRange } from '../index/fx-table.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import { FLEXIBILITIES } from '../index/write-listing.ts'

export type Filters = Static<typeof SearchFilters>

/** An empty list does not filter. */
export function planFilters(index: ListingIndex, filters: Filters): RowTest[] {
  return [
    amenitiesTest(index, filters.amenities ?? []),
    starsTest(index, filters.starRating ?? []),
    ratingTest(index, filters.guestRatingMin ?? 0),
    typesTest(index, filters.propertyType ?? []),
    flexibilityTest(index, filters.cancellationFlexibility ?? 'any'),
    neighbourhoodsTest(index, filters.neighbourhoods ?? []),
    priceTest(index, filters.priceRange),
  ].filter((test) => test !== null)
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

function flexibilityTest({ columns }: ListingIndex, requested: 'free' | 'partial' | 'any') {
  if (requested === 'any') return null
  const minimum = FLEXIBILITIES.indexOf(requested)
  return (row: number) => (columns.flexibility[row] ?? 0) >= minimum
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
    for (const { key } of exact ? [exact] : places.named('neighbourhood', name)) {
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

/** Exact, in the currency of each hotel; a hotel without a price is in no range. */
function priceTest(index: ListingIndex, range: Filters['priceRange']): RowTest | null {
  if (range === undefined) return null
  const minMicro = BigInt(range.minMicro)
  const maxMicro = BigInt(range.maxMicro)
  if (minMicro > maxMicro) throw rangeReversed()
  const bounds = convertRange(index.rates, { minMicro, maxMicro, currency: range.currency })
  const { priceMicro, currency } = index.columns
  return (row) => {
    const price = priceMicro[row] ?? 0
    const own = bounds[currency[row] ?? 0]
    return price > 0 && own !== undefined && price >= own.low && price <= own.high
  }
}

function rangeReversed() {
  return problem('MELMASTOON.SEARCH.PRICE_RANGE_INVALID', {
    errors: [
      {
        pointer: '/filters/priceRange/minMicro',
        code: 'above_maximum',
        detail: 'minMicro must not exceed maxMicro.',
      },
    ],
  })
}

/** Whether a listing matches. The cheapest tests run first. */
export type RowTest = (row: number) => boolean
