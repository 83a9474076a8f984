import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'

export type SlugCache = DefinedCache<'slug'>
export type DomainCache = DefinedCache<'domain'>

export interface SiteCaches {
  /** Slug → the tenant's site. */
  readonly slugs: SlugCache
  /** A tenant's own domain → its slug. */
  readonly domains: DomainCache
}

const HOUR_MS = 3_600_000

/**
 * Sites that were resolved within the hour stay available while the tenant service is down (F-1).
 * Changes arrive as events, so an old entry is one whose tenant has not changed.
 */
const LIFETIME = {
  softTtlMs: HOUR_MS,
  staleWhileRevalidateMs: 0,
  staleIfErrorMs: HOUR_MS,
  negativeTtlMs: 10_000,
} as const

export function defineSiteCaches(cache: Cache, loadTimeoutMs: number): SiteCaches {
  return {
    slugs: cache.define({ name: 'slug', dimensions: ['slug'], ...LIFETIME, loadTimeoutMs }),
    domains: cache.define({ name: 'domain', dimensions: ['domain'], ...LIFETIME, loadTimeoutMs }),
  }
}
