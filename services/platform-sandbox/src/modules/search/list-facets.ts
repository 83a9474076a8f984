import { AMENITIES, PROPERTY_TYPE_NAMES } from '../../world/amenities.ts'
import { type FacetCounts, tallyFacets } from './count-facets.ts'
import type { ListingIndex } from './index/listing-index.ts'

interface AllFacets {
  readonly facets: FacetCounts
  readonly total: number
  readonly names: Record<'amenities' | 'propertyType' | 'neighbourhoods' | 'cities', Names>
}

type Names = Record<
  string,
  { readonly default: string; readonly localized?: Readonly<Record<string, string>> }
>

/** Display names defined by the platform. */
const VOCABULARY = {
  amenities: Object.fromEntries(AMENITIES.map(({ code, name }) => [code, observed(name)])),
  propertyType: Object.fromEntries(
    Object.entries(PROPERTY_TYPE_NAMES).map(([type, name]) => [type, observed(name)]),
  ),
}

const counted = new WeakMap<ListingIndex, AllFacets & { revision: number }>()

/** Over all listings; recounted after a change. */
export function listFacets(index: ListingIndex): AllFacets {
  const known = counted.get(index)
  if (known?.revision === index.listedRevision) return known
  const { columns, firstRow, endRow } = index
  const rows = new Int32Array(endRow - firstRow)
  let count = 0
  for (let row = firstRow; row < endRow; row += 1) {
    if (columns.isVisible[row] !== 1) continue
    rows[count] = row
    count += 1
  }
  const facets = tallyFacets(index, { rows, count })
  const all = { facets, total: count, names: nameFacets(index, facets) }
  counted.set(index, { ...all, revision: index.listedRevision })
  return all
}

/** A neighbourhood is counted by its English name, in all towns. */
export function nameFacets({ places }: ListingIndex, facets: FacetCounts): AllFacets['names'] {
  const named: AllFacets['names'] = {
    amenities: pickNames(VOCABULARY.amenities, facets.amenities),
    propertyType: pickNames(VOCABULARY.propertyType, facets.propertyType),
    neighbourhoods: {},
    cities: {},
  }
  for (const { place } of places.all) {
    const { kind, key, names } = place
    if (kind === 'city' && Object.hasOwn(facets.cities, key)) named.cities[key] = observed(names)
    if (kind === 'neighbourhood' && Object.hasOwn(facets.neighbourhoods, names.default)) {
      named.neighbourhoods[names.default] ??= observed(names)
    }
  }
  return named
}

function pickNames(names: Names, counts: Record<string, number>): Names {
  return Object.fromEntries(Object.entries(names).filter(([key]) => Object.hasOwn(counts, key)))
}

function observed({ default: fallback, localized }: Readonly<Names[string]>): Names[string] {
  return { default: fallback, localized: { ...localized } }
}
