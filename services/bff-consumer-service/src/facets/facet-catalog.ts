import { FRESH_SECTION, Section } from '@melmastoon/bff/sections'
import { type Locale, textFor } from '@melmastoon/domain'
import type { LocalizedString, OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'

const count = () => Type.Integer({ minimum: 0, description: 'Number of hotels with this value' })

const FacetValue = Type.Object({
  value: Type.String({ description: 'As used in the filters of a search' }),
  label: Type.String({ description: 'In the language of the response, if there is a translation' }),
  count: count(),
})

export type FacetValue = Static<typeof FacetValue>

const values = () => Type.Array(FacetValue, { maxItems: 200 })

/** The values of all filters, the most frequent first; stars in descending order. */
export const FacetCatalog = Type.Object({
  sections: Type.Object({ facets: Section }),
  degraded: Type.Boolean(),
  total: count(),
  amenities: values(),
  starRating: Type.Array(
    Type.Object({ value: Type.Integer({ minimum: 1, maximum: 5 }), count: count() }),
    { maxItems: 5 },
  ),
  propertyType: values(),
  neighbourhoods: values(),
  cities: values(),
})

export type FacetCatalog = Static<typeof FacetCatalog>

export type FacetResponse = OutputOf<(typeof searchContract)['operations']['facets']>
type Names = Record<string, Static<typeof LocalizedString>>

const VALUES_MAX = 200
const STARS = [5, 4, 3, 2, 1]

/** Values without hotels are omitted. */
export function catalogOf({ facets, total, names }: FacetResponse, locale: Locale): FacetCatalog {
  const list = (counts: Record<string, number>, known: Names = {}) =>
    valuesOf(counts, known, locale)
  const stars = STARS.map((value) => ({ value, count: facets.starRating[value] ?? 0 }))
  return {
    sections: { facets: FRESH_SECTION },
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
