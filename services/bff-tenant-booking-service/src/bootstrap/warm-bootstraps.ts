import { tenantTags } from '@melmastoon/bff/tenants'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { CurrencyCode, Locale, TenantId } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'
import { type HotelsCache, hotelsTag } from '../policies/read-hotels.ts'
import type { TenantSettingsCache } from '../site/read-tenant-settings.ts'
import type { BootstrapCache } from './read-bootstrap.ts'
import { type ThemeCache, themeTag } from './theme.ts'

const WARM_MAX = 5_000

interface Caches {
  readonly tenantSettings: TenantSettingsCache
  readonly themes: ThemeCache
  readonly hotels: HotelsCache
  readonly bootstraps: BootstrapCache
}

export interface BootstrapKey {
  readonly tenantId: TenantId
  readonly locale: Locale
  readonly currency: CurrencyCode
}

/** The entity tags of settings, theme and hotels. */
export type PartTags = readonly [settings: string, theme: string, hotels: string]

/** Frozen, so that the caches build their keys once. */
interface WarmEntry {
  readonly dims: Readonly<{ tenantId: TenantId }>
  readonly tags: readonly string[]
  readonly themeTags: readonly string[]
  readonly hotelsTags: readonly string[]
  readonly etags: PartTags
  readonly composed: Readonly<BootstrapKey & { parts: string }>
}

/** Which composed bootstrap belongs to the parts that this process has in memory. */
export class WarmBootstraps {
  readonly #entries = new LRUCache<string, WarmEntry>({ max: WARM_MAX })

  /** Synchronous: undefined unless all parts are fresh in this process and unchanged. */
  peek(caches: Caches, key: BootstrapKey): CachedBytes | undefined {
    const entry = this.#entries.get(textOf(key))
    if (entry === undefined) return undefined
    const { dims, tags, etags } = entry
    const isCurrent =
      caches.tenantSettings.peek(dims, tags)?.etag === etags[0] &&
      caches.themes.peek(dims, entry.themeTags)?.etag === etags[1] &&
      caches.hotels.peek(dims, entry.hotelsTags)?.etag === etags[2]
    return isCurrent ? caches.bootstraps.peek(entry.composed, tags) : undefined
  }

  /** Call with the key of a bootstrap whose sections are all fresh. */
  set(composed: BootstrapKey & { readonly parts: string }, etags: PartTags): void {
    const { tenantId } = composed
    this.#entries.set(textOf(composed), {
      dims: Object.freeze({ tenantId }),
      tags: tenantTags(tenantId),
      themeTags: [themeTag(tenantId)],
      hotelsTags: [hotelsTag(tenantId)],
      etags,
      composed: Object.freeze({ ...composed }),
    })
  }
}

function textOf({ tenantId, locale, currency }: BootstrapKey): string {
  return `${tenantId} ${locale} ${currency}`
}
