import { defineTenants, type TenantCache } from '@melmastoon/bff/tenants'
import type { BatchCache, Cache } from '@melmastoon/chassis/cache'
import { type AvailabilityCache, defineAvailability } from './availability/read-availability.ts'
import { type BrandCache, defineBrandBatches, defineBrands } from './brands/read-brands.ts'
import { type CalendarCache, defineCalendars } from './calendar/load-calendar.ts'
import { type DerivedCache, defineDerivedResponses } from './derived-responses/read-derived.ts'
import { defineFacets, type FacetCache } from './facets/read-facets.ts'
import type { ConsumerFlags } from './flags.ts'
import { defineHotels, type HotelCaches } from './hotels/hotel-caches.ts'
import {
  defineListingBatches,
  defineListings,
  type ListingCache,
} from './listings/listing-cache.ts'
import { defineOffers, type OfferCaches } from './offers/offer-caches.ts'
import { defineRates, type RateCache } from './rates/read-rates.ts'
import { definePages, type PageCache } from './search/served-page.ts'
import { defineSuggestions, type SuggestionCache } from './suggestions/read-suggestions.ts'
import { UPSTREAM_MS } from './upstreams/create-upstreams.ts'

/** All caches of the service, with the lifetimes of C11. */
export interface Caches extends HotelCaches, OfferCaches {
  readonly pages: PageCache
  readonly brands: BrandCache
  readonly brandBatches: BatchCache
  readonly listings: ListingCache
  readonly listingBatches: BatchCache
  readonly maps: PageCache
  readonly rates: RateCache
  readonly availability: AvailabilityCache
  readonly calendars: CalendarCache
  readonly suggestions: SuggestionCache
  readonly facets: FacetCache
  readonly derived: DerivedCache
  readonly tenants: TenantCache
}

export interface CacheOverrides {
  readonly pageFreshMs?: number
}

export function defineCaches(cache: Cache, flags: ConsumerFlags, over: CacheOverrides): Caches {
  return {
    ...defineHotels(cache),
    ...defineOffers(cache),
    pages: definePages(cache, { name: 'search', flags, freshMs: over.pageFreshMs }),
    brands: defineBrands(cache),
    brandBatches: defineBrandBatches(cache),
    listings: defineListings(cache),
    listingBatches: defineListingBatches(cache),
    maps: definePages(cache, { name: 'map', flags, freshMs: over.pageFreshMs }),
    rates: defineRates(cache),
    availability: defineAvailability(cache),
    calendars: defineCalendars(cache),
    suggestions: defineSuggestions(cache),
    facets: defineFacets(cache),
    derived: defineDerivedResponses(cache),
    tenants: defineTenants(cache, UPSTREAM_MS.tenant),
  }
}
