import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

export type SuggestionCache = DefinedCache<'locale' | 'typed' | 'limit'>

export function defineSuggestions(cache: Cache): SuggestionCache {
  return cache.define({
    name: 'suggest',
    dimensions: ['locale', 'typed', 'limit'],
    softTtlMs: 300_000,
    staleWhileRevalidateMs: 60_000,
    staleIfErrorMs: 600_000,
    loadTimeoutMs: UPSTREAM_MS.search,
    followerWaitMs: UPSTREAM_MS.search,
  })
}
