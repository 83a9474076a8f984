import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

export type RateCache = DefinedCache<'propertyId' | 'currency' | 'stay'>

/** One hotel's price for one stay. Its life is the price's own (D6), so none of it is stretched. */
export function defineRates(cache: Cache): RateCache {
  return cache.define({
    name: 'rate',
    dimensions: ['propertyId', 'currency', 'stay'],
    softTtlMs: 60_000,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 0,
    jitter: 0,
    loadTimeoutMs: UPSTREAM_MS.pricing,
    // Longer than a load may take, or a slow call would be repeated by every process.
    followerWaitMs: UPSTREAM_MS.pricing + 1_000,
  })
}
