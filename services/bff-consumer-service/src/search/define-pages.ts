import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import type { ConsumerFlags } from '../flags.ts'

const FRESH_MS = 60_000
const CAMPAIGN_FRESH_MS = 300_000
const STALE_IF_ERROR_MS = 600_000
/** All upstream calls of one page: search, then prices and brands at once, and the composing. */
const COMPOSE_MS = 2_400

export type PageCache = DefinedCache<'locale' | 'currency' | 'query'>
export type AgedPageCache = DefinedCache<'etag' | 'prices' | 'listings'>

/** 60 s fresh, 5 minutes in a campaign, 10 in need (C11). */
export function definePages(cache: Cache, flags: ConsumerFlags, freshMs = FRESH_MS): PageCache {
  return cache.define({
    name: 'search',
    dimensions: ['locale', 'currency', 'query'],
    softTtlMs: () => (flags.isCampaign() ? CAMPAIGN_FRESH_MS : freshMs),
    staleWhileRevalidateMs: 30_000,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    loadTimeoutMs: COMPOSE_MS,
    followerWaitMs: COMPOSE_MS,
  })
}

/**
 * Pages whose prices have gone stale while they were kept, with all their forms. They derive from
 * the page's bytes alone, so its tag is all there is to know.
 */
export function defineAgedPages(cache: Cache): AgedPageCache {
  return cache.define({
    name: 'search-aged',
    dimensions: ['etag', 'prices', 'listings'],
    softTtlMs: STALE_IF_ERROR_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 0,
    loadTimeoutMs: 1_000,
    // To write one is quicker than to wait long for another process that does.
    followerWaitMs: 100,
  })
}
