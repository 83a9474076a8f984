import type { Cache } from '@melmastoon/chassis/cache'
import {
  type AvailabilityCaches,
  defineAvailabilityCaches,
} from './availability/availability-caches.ts'
import { type BootstrapCache, defineBootstraps } from './bootstrap/read-bootstrap.ts'
import { defineThemes, type ThemeCache } from './bootstrap/theme.ts'
import { type ConfirmationCaches, defineConfirmations } from './confirmation/read-shared.ts'
import { defineHotels, type HotelsCache } from './policies/read-hotels.ts'
import { definePropertyCaches, type PropertyCaches } from './properties/read-property.ts'
import { defineTenantSettings, type TenantSettingsCache } from './site/read-tenant-settings.ts'
import { defineSiteCaches, type SiteCaches } from './site/site-caches.ts'
import { UPSTREAM_MS } from './upstreams/create-upstreams.ts'

/** Composing takes as long as its slowest upstream, and a little. */
const AVAILABILITY_PAGE_MS = UPSTREAM_MS.property + 150

/** All caches of the service, with the lifetimes of the key schema. */
export interface Caches extends SiteCaches, PropertyCaches, AvailabilityCaches, ConfirmationCaches {
  readonly tenantSettings: TenantSettingsCache
  readonly hotels: HotelsCache
  readonly themes: ThemeCache
  readonly bootstraps: BootstrapCache
}

export function defineCaches(cache: Cache): Caches {
  return {
    ...defineSiteCaches(cache, UPSTREAM_MS.tenant),
    ...defineConfirmations(cache),
    tenantSettings: defineTenantSettings(cache, UPSTREAM_MS.tenant),
    hotels: defineHotels(cache, UPSTREAM_MS.property),
    themes: defineThemes(cache, UPSTREAM_MS.theme),
    bootstraps: defineBootstraps(cache),
    ...definePropertyCaches(cache, UPSTREAM_MS.property),
    ...defineAvailabilityCaches(cache, { ...UPSTREAM_MS, page: AVAILABILITY_PAGE_MS }),
  }
}
