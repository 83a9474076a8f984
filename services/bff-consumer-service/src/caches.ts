import { defineTenants, type TenantCache } from '@melmastoon/bff/tenants'
import type { BatchCache, Cache } from '@melmastoon/chassis/cache'
import { type AvailabilityCache, defineAvailability } from './availability/define-availability.ts'
import { type BrandCache, defineBrandBatches, defineBrands } from './brands/define-brands.ts'
import { defineFacets, type FacetCache } from './facets/define-facets.ts'
import type { ConsumerFlags } from './flags.ts'
import { defineForms, type FormCache } from './forms/define-forms.ts'
import { defineHotels, type HotelCaches } from './hotels/define-hotels.ts'
import {
  defineListingBatches,
  defineListings,
  type ListingCache,
} from './listings/define-listings.ts'
import { defineMaps, type MapCache } from './map/define-maps.ts'
import { defineRates, type RateCache } from './rates/define-rates.ts'
import {
  type AgedPageCache,
  defineAgedPages,
  definePages,
  type PageCache,
} from './search/define-pages.ts'
import { defineSuggestions, type SuggestionCache } from './suggestions/define-suggestions.ts'
import { UPSTREAM_MS } from './upstreams/create-upstreams.ts'

/** Everything that is kept ready to send, and for how long (C11). */
export interface Caches extends HotelCaches {
  readonly pages: PageCache
  readonly agedPages: AgedPageCache
  readonly brands: BrandCache
  readonly brandBatches: BatchCache
  readonly listings: ListingCache
  readonly listingBatches: BatchCache
  readonly maps: MapCache
  readonly rates: RateCache
  readonly availability: AvailabilityCache
  readonly suggestions: SuggestionCache
  readonly facets: FacetCache
  readonly forms: FormCache
  readonly tenants: TenantCache
}

export interface CacheOverrides {
  readonly pageFreshMs?: number
}

export function defineCaches(cache: Cache, flags: ConsumerFlags, over: CacheOverrides): Caches {
  return {
    ...defineHotels(cache),
    pages: definePages(cache, flags, over.pageFreshMs),
    agedPages: defineAgedPages(cache),
    brands: defineBrands(cache),
    brandBatches: defineBrandBatches(cache),
    listings: defineListings(cache),
    listingBatches: defineListingBatches(cache),
    maps: defineMaps(cache, flags, over.pageFreshMs),
    rates: defineRates(cache),
    availability: defineAvailability(cache),
    suggestions: defineSuggestions(cache),
    facets: defineFacets(cache),
    forms: defineForms(cache),
    tenants: defineTenants(cache, UPSTREAM_MS.tenant),
  }
}
