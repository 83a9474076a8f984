import type { Cache } from '@melmastoon/chassis/cache'
import { defineHotels, type HotelsCache } from './policies/read-hotels.ts'
import { defineTenantSettings, type TenantSettingsCache } from './site/read-tenant-settings.ts'
import { defineSiteCaches, type SiteCaches } from './site/site-caches.ts'
import { UPSTREAM_MS } from './upstreams/create-upstreams.ts'

/** All caches of the service, with the lifetimes of the key schema. */
export interface Caches extends SiteCaches {
  readonly tenantSettings: TenantSettingsCache
  readonly hotels: HotelsCache
}

export function defineCaches(cache: Cache): Caches {
  return {
    ...defineSiteCaches(cache, UPSTREAM_MS.tenant),
    tenantSettings: defineTenantSettings(cache, UPSTREAM_MS.tenant),
    hotels: defineHotels(cache, UPSTREAM_MS.property),
  }
}
