import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'

export type FormCache = DefinedCache<'etag' | 'form'>

/** Kept answers that were told otherwise than they lie there: older, or with a price. */
export function defineForms(cache: Cache): FormCache {
  return cache.define({
    name: 'form',
    dimensions: ['etag', 'form'],
    softTtlMs: 60_000,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 0,
    loadTimeoutMs: 1_000,
    // To write one is quicker than to wait long for another process that does.
    followerWaitMs: 100,
  })
}
