import type { Section } from '@melmastoon/bff/sections'
import type { Brands } from '../brands/read-brands.ts'
import type { Rates } from '../rates/read-rates.ts'
import type { Found } from './find-listings.ts'
import type { SearchPage } from './search-page.ts'

/** All that a page is made of; what did not come in time is undefined. */
export interface PageParts {
  readonly found: Found
  readonly rates: Rates | undefined
  readonly brands: Brands | undefined
}

const FRESH: Section = { status: 'fresh', ageMs: 0 }
const MISSING: Section = { status: 'missing', ageMs: 0 }

/** A page without hotels lacks neither prices nor brands. */
export function judgeSections(
  { found, rates, brands }: PageParts,
  nowMs: number,
): SearchPage['sections'] {
  // A moment that is none, which the contract's pattern lets through, counts as now.
  const since = (momentMs: number) => Math.max(0, Math.round(nowMs - momentMs) || 0)
  const absent = found.items.length === 0 ? FRESH : MISSING
  return {
    listings:
      found.degradationLevel === 'none'
        ? FRESH
        : { status: 'stale', ageMs: since(Date.parse(found.indexedAt)) },
    prices: rates === undefined ? absent : { status: 'fresh', ageMs: since(rates.capturedAtMs) },
    brands:
      brands === undefined ? absent : { status: brands.status, ageMs: Math.round(brands.ageMs) },
  }
}
