import { FRESH_SECTION, Section } from '@melmastoon/bff/sections'
import { type Locale, textFor } from '@melmastoon/domain'
import { currency, type LocalizedString, type OutputOf } from '@melmastoon/upstream-contracts'
import type {
  FacetNames,
  FacetRanges,
  Facets,
  searchContract,
} from '@melmastoon/upstream-contracts/search'
import { type Static, type TSchema, Type } from 'typebox'
import { exactMinor } from '../rates/exact-minor.ts'
import {
  AMENITY_VALUES,
  type KnownValues,
  knownCounts,
  PROPERTY_TYPE_VALUES,
} from './known-values.ts'

const count = () => Type.Integer({ minimum: 0, description: 'Number of hotels with this value' })

const FacetValue = Type.Object({
  value: Type.String({ description: 'As used in the filters of a search' }),
  label: Type.String({ description: 'In the language of the response, if there is a translation' }),
  count: count(),
})

export type FacetValue = Static<typeof FacetValue>

const values = () => Type.Array(FacetValue, { maxItems: 200 })

const FacetLists = {
  amenities: values(),
  starRating: Type.Array(
    Type.Object({ value: Type.Integer({ minimum: 1, maximum: 5 }), count: count() }),
    { maxItems: 5 },
  ),
  propertyType: values(),
  neighbourhoods: values(),
  cities: values(),
}

/** The values of all filters, the most frequent first; stars in descending order. */
export const FacetCatalog = Type.Object({
  sections: Type.Object({ facets: Section }),
  degraded: Type.Boolean(),
  total: count(),
  ...FacetLists,
})

export type FacetCatalog = Static<typeof FacetCatalog>

const histogram = <B extends TSchema>(bound: () => B) => ({
  min: bound(),
  max: bound(),
  buckets: Type.Array(Type.Object({ from: bound(), to: bound(), count: count() }), {
    maxItems: 20,
    description: 'In ascending order, without gaps; a value at `to` belongs to the next bucket',
  }),
})

/** The facets of one search (C20). */
export const SearchFacetsVM = Type.Object({
  ...FacetLists,
  price: Type.Optional(
    Type.Object(
      { currency: currency(), ...histogram(() => Type.Integer()) },
      {
        description:
          'Distribution of the nightly prices shown (`cheapestNightlyMinor`), in minor units: the ' +
          'same amounts that `priceRange` per night bounds. There is none of totals per stay. ' +
          'Absent where no hotel has a price in this currency, or there are too many hotels',
      },
    ),
  ),
  guestRating: Type.Optional(
    Type.Object(
      histogram(() => Type.Number()),
      {
        description: 'Distribution of the guest ratings of rated hotels',
      },
    ),
  ),
})

export type SearchFacetsVM = Static<typeof SearchFacetsVM>

export type FacetResponse = OutputOf<(typeof searchContract)['operations']['facets']>
type Names = Record<string, Static<typeof LocalizedString>>

const VALUES_MAX = 200
const STARS = [5, 4, 3, 2, 1]

/** Values without hotels are omitted. */
export function catalogOf({ facets, total, names }: FacetResponse, locale: Locale): FacetCatalog {
  return {
    sections: { facets: FRESH_SECTION },
    degraded: false,
    total: Math.max(0, total),
    ...listsOf(facets, names, locale),
  }
}

type Found = OutputOf<(typeof searchContract)['operations']['query']>

/** Undefined on all pages but the first. */
export function searchFacets(
  { facets, facetNames, facetRanges }: Pick<Found, 'facets' | 'facetNames' | 'facetRanges'>,
  locale: Locale,
): SearchFacetsVM | undefined {
  if (facets === undefined) return undefined
  const { price, guestRating } = facetRanges ?? {}
  const prices = price && priceHistogram(price)
  return {
    ...listsOf(facets, facetNames, locale),
    ...(prices && { price: prices }),
    ...(guestRating && { guestRating: histogramOf(guestRating, (value) => value) }),
  }
}

/** Every member is named, and values that no filter accepts are dropped. */
export function knownFacets(facets: Static<typeof Facets>): Static<typeof Facets> {
  return {
    amenities: knownCounts(facets.amenities, AMENITY_VALUES),
    starRating: facets.starRating,
    propertyType: knownCounts(facets.propertyType, PROPERTY_TYPE_VALUES),
    neighbourhoods: facets.neighbourhoods,
    cities: facets.cities,
  }
}

function listsOf(all: Static<typeof Facets>, names: FacetNames | undefined, locale: Locale) {
  const facets = knownFacets(all)
  const known = (counts: Record<string, number>, values: KnownValues) =>
    valuesOf(counts, (value) => values.labelOf(value, locale))
  const named = (counts: Record<string, number>, places: Names = {}) =>
    valuesOf(counts, (value) => labelOf(value, places, locale))
  const stars = STARS.map((value) => ({ value, count: facets.starRating[value] ?? 0 }))
  return {
    amenities: known(facets.amenities, AMENITY_VALUES),
    starRating: stars.filter(({ count }) => count > 0),
    propertyType: known(facets.propertyType, PROPERTY_TYPE_VALUES),
    neighbourhoods: named(facets.neighbourhoods, names?.neighbourhoods),
    cities: named(facets.cities, names?.cities),
  }
}

/** Omitted where an amount is not a whole number of minor units (D7). */
function priceHistogram(price: NonNullable<FacetRanges['price']>): SearchFacetsVM['price'] {
  const { currency: code } = price
  const bounds = [price.min, price.max, ...price.buckets.flatMap(({ from, to }) => [from, to])]
  const minor = new Map(bounds.map((micro) => [micro, exactMinor(micro, code)]))
  if ([...minor.values()].includes(null)) return undefined
  return { currency: code, ...histogramOf(price, (micro) => minor.get(micro) ?? 0) }
}

interface Buckets<V> {
  readonly min: V
  readonly max: V
  readonly buckets: readonly { readonly from: V; readonly to: V; readonly count: number }[]
}

function histogramOf<V>({ min, max, buckets }: Buckets<V>, shown: (value: V) => number) {
  return {
    min: shown(min),
    max: shown(max),
    buckets: buckets.map(({ from, to, count }) => ({ from: shown(from), to: shown(to), count })),
  }
}

type Labelled = (value: string) => string | undefined

function valuesOf(counts: Record<string, number>, labelled: Labelled): FacetValue[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, VALUES_MAX)
    .map(([value, count]) => ({ value, label: labelled(value) ?? value, count }))
}

function labelOf(value: string, names: Names, locale: Locale): string | undefined {
  const name = Object.hasOwn(names, value) ? names[value] : undefined
  return name && textFor(name, locale)
}
