import { type Locale, textFor } from '@melmastoon/domain'
import type { LocalizedString, OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import type { Static } from 'typebox'
import type { FacetCatalog, FacetValue } from './facet-catalog.ts'

export type FacetAnswer = OutputOf<(typeof searchContract)['operations']['facets']>
type Names = Record<string, Static<typeof LocalizedString>>

const VALUES_MAX = 200
const STARS = [5, 4, 3, 2, 1]

/** Counts of nothing are not told, nor are those that are no counts. */
export function catalogOf({ facets, total, names }: FacetAnswer, locale: Locale): FacetCatalog {
  const list = (counts: Record<string, number>, known: Names = {}) =>
    valuesOf(counts, known, locale)
  const stars = STARS.map((value) => ({ value, count: facets.starRating[value] ?? 0 }))
  return {
    sections: { facets: { status: 'fresh', ageMs: 0 } },
    degraded: false,
    total: Math.max(0, total),
    amenities: list(facets.amenities, names?.amenities),
    starRating: stars.filter(({ count }) => count > 0),
    propertyType: list(facets.propertyType, names?.propertyType),
    neighbourhoods: list(facets.neighbourhoods, names?.neighbourhoods),
    cities: list(facets.cities, names?.cities),
  }
}

function valuesOf(counts: Record<string, number>, names: Names, locale: Locale): FacetValue[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, VALUES_MAX)
    .map(([value, count]) => ({ value, label: labelOf(value, names, locale), count }))
}

function labelOf(value: string, names: Names, locale: Locale): string {
  const name = Object.hasOwn(names, value) ? names[value] : undefined
  return name === undefined ? value : textFor(name, locale)
}
