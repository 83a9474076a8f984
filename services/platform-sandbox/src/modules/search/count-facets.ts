import type { Facets } from '@melmastoon/upstream-contracts/search'
import type { Static } from 'typebox'
import { findMatches, type Matches } from './find-matches.ts'
import { AMENITY_WORDS } from './index/columns.ts'
import type { Dictionary } from './index/dictionary.ts'
import type { ListingIndex } from './index/listing-index.ts'
import type { SearchPlan } from './plan-search.ts'

export type FacetCounts = Static<typeof Facets>

/** For a facet with more values only the most frequent are returned. */
const VALUES_MAX = 200
const STARS = ['', '1', '2', '3', '4', '5']

type FacetName = keyof FacetCounts

/** The facets that have a filter; cities are chosen by the area. */
const FILTERED = ['amenities', 'starRating', 'propertyType', 'neighbourhoods'] as const

/** The number of matches per value, each facet as if its own filter were not set. */
export function countFacets(index: ListingIndex, plan: SearchPlan): FacetCounts {
  const counts = tallyFacets(index, findMatches(index, plan))
  for (const facet of FILTERED) {
    if (plan.filters[facet] === undefined) continue
    counts[facet] = TALLIES[facet](index, findMatches(index, plan, facet))
  }
  return counts
}

/** The number of rows per value of every facet. */
export function tallyFacets(index: ListingIndex, matches: Matches): FacetCounts {
  return {
    amenities: TALLIES.amenities(index, matches),
    starRating: TALLIES.starRating(index, matches),
    propertyType: TALLIES.propertyType(index, matches),
    neighbourhoods: TALLIES.neighbourhoods(index, matches),
    cities: TALLIES.cities(index, matches),
  }
}

type Tally = (index: ListingIndex, matches: Matches) => Record<string, number>

const TALLIES: Readonly<Record<FacetName, Tally>> = {
  amenities: (index, matches) => toRecord(countAmenities(index, matches), index.amenities.words),
  starRating: ({ columns }, matches) =>
    toRecord(countColumn(columns.stars, STARS.length, matches), STARS),
  propertyType: ({ columns, propertyTypes }, matches) =>
    tally(columns.propertyType, propertyTypes, matches),
  neighbourhoods: ({ columns, neighbourhoods }, matches) =>
    tally(columns.neighbourhood, neighbourhoods, matches),
  cities: ({ columns, cities }, matches) => tally(columns.city, cities, matches),
}

function tally(column: Int32Array, dictionary: Dictionary, matches: Matches) {
  return toRecord(countColumn(column, dictionary.size, matches), dictionary.words)
}

function countColumn(column: Int32Array | Uint8Array, size: number, matches: Matches): Int32Array {
  const { rows, count } = matches
  const counts = new Int32Array(size)
  for (let at = 0; at < count; at += 1) {
    const value = column[rows[at] ?? 0] ?? 0
    counts[value] = (counts[value] ?? 0) + 1
  }
  return counts
}

function countAmenities({ columns, amenities }: ListingIndex, { rows, count }: Matches) {
  const counts = new Int32Array(amenities.size)
  for (let at = 0; at < count; at += 1) {
    const start = (rows[at] ?? 0) * AMENITY_WORDS
    for (let word = 0; word < AMENITY_WORDS; word += 1) {
      for (let bits = columns.amenities[start + word] ?? 0; bits !== 0; bits &= bits - 1) {
        const amenity = word * 32 + 31 - Math.clz32(bits & -bits)
        counts[amenity] = (counts[amenity] ?? 0) + 1
      }
    }
  }
  return counts
}

function toRecord(counts: Int32Array, words: readonly string[]): Record<string, number> {
  const found: [string, number][] = []
  for (const [number, word] of words.entries()) {
    const count = counts[number] ?? 0
    if (count > 0 && word !== '') found.push([word, count])
  }
  if (found.length > VALUES_MAX) found.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return Object.fromEntries(found.slice(0, VALUES_MAX))
}
