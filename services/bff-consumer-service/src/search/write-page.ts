import { FRESH_SECTION, isDegraded, MISSING_SECTION, sectionOf } from '@melmastoon/bff/sections'
import type { Locale } from '@melmastoon/domain'
import { neutralBrand } from '../brands/brand-peek.ts'
import type { Brands } from '../brands/brand-sets.ts'
import type { CardCache, CardOptions } from '../cards/write-card.ts'
import { knownFacets, searchFacets } from '../facets/facet-catalog.ts'
import { alternativeView, placeView } from '../places/place-view.ts'
import { writeStayPrice } from '../rates/rate-snapshot.ts'
import type { Rates } from '../rates/read-rates.ts'
import type { Found } from './find-listings.ts'
import type { SearchPage } from './search-schema.ts'

/** The sources of a page; undefined where one did not respond in time. */
export interface PageSources {
  readonly found: Found
  readonly rates: Rates | undefined
  readonly brands: Brands | undefined
}

/** A page without hotels lacks neither prices nor brands. */
export function sectionsOf(
  { found, rates, brands }: PageSources,
  nowMs: number,
): SearchPage['sections'] {
  // The contract's pattern accepts invalid times such as the 31st of February: these count as now.
  const ageMs = (sinceMs: number) => Math.max(0, Math.round(nowMs - sinceMs) || 0)
  const absent = found.items.length === 0 ? FRESH_SECTION : MISSING_SECTION
  return {
    listings:
      found.degradationLevel === 'none'
        ? FRESH_SECTION
        : { status: 'stale', ageMs: ageMs(Date.parse(found.indexedAt)) },
    prices: rates === undefined ? absent : { status: 'fresh', ageMs: ageMs(rates.capturedAtMs) },
    brands: brands === undefined ? absent : sectionOf(brands),
  }
}

const BRAND = Buffer.from(',"brandPeek":')

/** The page as JSON, concatenated from parts that are JSON already, most of them as bytes. */
export function writePage(
  { found, rates, brands }: PageSources,
  sections: SearchPage['sections'],
  { cards, ...options }: CardOptions & { readonly cards: CardCache },
): Buffer {
  const items: (string | Buffer)[] = []
  for (const hit of found.items) {
    const brandPeek = brands?.bytesByTenant.get(hit.tenantId) ?? JSON.stringify(neutralBrand(hit))
    const price = writeStayPrice(rates?.byProperty.get(hit.propertyId), options.locale)
    const separator = items.length === 0 ? '' : ','
    items.push(separator, cards.prefixOf(hit, options), BRAND, brandPeek, `${price}}`)
  }
  const degraded = isDegraded(sections)
  const head = `"sections":${JSON.stringify(sections)},"degraded":${degraded},"total":${found.total}`
  const bookable =
    found.bookableTotal === undefined ? '' : `,"bookableTotal":${found.bookableTotal}`
  const cursor =
    found.nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(found.nextCursor)}`
  const facets = writeFacets(found, options.locale)
  const places = writePlaces(found, options.locale)
  return concatenate([`{${head}${bookable}${cursor},"items":[`, ...items, `]${facets}${places}}`])
}

/** The hotels of a place that count are those of this search. */
function writePlaces({ place, alternatives, total }: Found, locale: Locale): string {
  const found = place && placeView({ ...place, properties: total }, locale)
  const searched = found === undefined ? '' : `,"place":${JSON.stringify(found)}`
  if (alternatives === undefined) return searched
  const proposed = alternatives.map((each) => alternativeView(each, locale))
  return `${searched},"alternatives":${JSON.stringify(proposed)}`
}

function writeFacets(found: Found, locale: Locale): string {
  if (found.facets === undefined) return ''
  const counts = knownFacets(found.facets)
  const values = searchFacets(found, locale)
  return `,"facets":${JSON.stringify(counts)},"facetValues":${JSON.stringify(values)}`
}

/** Strings are encoded as UTF-8, buffers are copied. */
function concatenate(pieces: readonly (string | Buffer)[]): Buffer {
  let size = 0
  for (const piece of pieces) {
    size += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
  }
  const joined = Buffer.allocUnsafe(size)
  let at = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') at += joined.write(piece, at)
    else {
      joined.set(piece, at)
      at += piece.length
    }
  }
  return joined
}
