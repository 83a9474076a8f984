import type { Cache } from '@melmastoon/chassis/cache'
import { type BrandCache, defineBrands } from './brands/define-brands.ts'
import type { ConsumerFlags } from './flags.ts'
import { defineListings, type ListingCache } from './listings/define-listings.ts'
import {
  type AgedPageCache,
  defineAgedPages,
  definePages,
  type PageCache,
} from './search/define-pages.ts'
import { defineTenants, type TenantCache } from './tenants/define-tenants.ts'

/** Everything that is kept ready to send, and for how long (C11). */
export interface Caches {
  readonly pages: PageCache
  readonly agedPages: AgedPageCache
  readonly brands: BrandCache
  readonly listings: ListingCache
  readonly tenants: TenantCache
}

export interface CacheOverrides {
  readonly pageFreshMs?: number
}

export function defineCaches(cache: Cache, flags: ConsumerFlags, over: CacheOverrides): Caches {
  return {
    pages: definePages(cache, flags, over.pageFreshMs),
    agedPages: defineAgedPages(cache),
    brands: defineBrands(cache),
    listings: defineListings(cache),
    tenants: defineTenants(cache),
  }
}
