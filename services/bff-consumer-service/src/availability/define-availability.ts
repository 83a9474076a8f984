import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

export const AVAILABILITY_FRESH_MS = 30_000

export type AvailabilityCache = DefinedCache<'propertyId' | 'from' | 'to'>

/** Numbers of rooms, the same in every language. Light, and a little late. */
export function defineAvailability(cache: Cache): AvailabilityCache {
  return cache.define({
    name: 'availability',
    dimensions: ['propertyId', 'from', 'to'],
    softTtlMs: AVAILABILITY_FRESH_MS,
    staleWhileRevalidateMs: 15_000,
    staleIfErrorMs: 600_000,
    negativeTtlMs: 10_000,
    loadTimeoutMs: UPSTREAM_MS.search,
    followerWaitMs: UPSTREAM_MS.search,
  })
}
