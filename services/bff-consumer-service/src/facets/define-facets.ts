import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

export const FACETS_FRESH_MS = 3_600_000

export type FacetCache = DefinedCache<'locale' | 'currency'>

/** An hour fresh (C11). */
export function defineFacets(cache: Cache): FacetCache {
  return cache.define({
    name: 'facets',
    dimensions: ['locale', 'currency'],
    softTtlMs: FACETS_FRESH_MS,
    staleWhileRevalidateMs: 300_000,
    staleIfErrorMs: 600_000,
    loadTimeoutMs: UPSTREAM_MS.search,
    followerWaitMs: UPSTREAM_MS.search,
  })
}
