import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import type { ConsumerFlags } from '../flags.ts'

const FRESH_MS = 60_000
const CAMPAIGN_FRESH_MS = 300_000
/** Search, then brands, and the drawing. */
const COMPOSE_MS = 2_400

export type MapCache = DefinedCache<'locale' | 'currency' | 'query'>

/** As lists are kept (C11). In need the last map is shown, and says that it is old (F-1). */
export function defineMaps(cache: Cache, flags: ConsumerFlags, freshMs = FRESH_MS): MapCache {
  return cache.define({
    name: 'map',
    dimensions: ['locale', 'currency', 'query'],
    softTtlMs: () => (flags.isCampaign() ? CAMPAIGN_FRESH_MS : freshMs),
    staleWhileRevalidateMs: 30_000,
    staleIfErrorMs: 600_000,
    loadTimeoutMs: COMPOSE_MS,
    followerWaitMs: COMPOSE_MS,
  })
}
