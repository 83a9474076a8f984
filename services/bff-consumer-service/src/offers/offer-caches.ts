import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

const FRESH_MS = 60_000
/** Revalidated in the background in the ten seconds before a price is stale (D6). */
export const OFFERS_FRESH_MS = 50_000
const RENEWED_WITHIN_MS = 10_000
const STALE_IF_ERROR_MS = 10 * 60_000
const NEGATIVE_MS = 10_000
/** Prices have as much time as on other pages, although the search service returns them. */
export const OFFERS_MS = UPSTREAM_MS.pricing
/** A process waits longer for another one's load than that load may take. */
const FOLLOWER_MARGIN_MS = 1_000

export interface OfferCaches {
  /** The offers of a hotel in all languages. */
  readonly offers: DefinedCache<'propertyId' | 'stay' | 'occupancy' | 'currency'>
  /** Whole documents as they are sent. */
  readonly offerPages: DefinedCache<'parts' | 'priced' | 'locale'>
}

export function defineOffers(cache: Cache): OfferCaches {
  return {
    offers: cache.define({
      name: 'offers',
      dimensions: ['propertyId', 'stay', 'occupancy', 'currency'],
      softTtlMs: OFFERS_FRESH_MS,
      staleWhileRevalidateMs: RENEWED_WITHIN_MS,
      staleIfErrorMs: STALE_IF_ERROR_MS,
      negativeTtlMs: NEGATIVE_MS,
      // Jitter would make prices older than a minute.
      jitter: 0,
      loadTimeoutMs: OFFERS_MS,
      followerWaitMs: OFFERS_MS + FOLLOWER_MARGIN_MS,
    }),
    // Derived from other entries and identified by them: there is nothing to revalidate.
    offerPages: cache.define({
      name: 'offer-page',
      dimensions: ['parts', 'priced', 'locale'],
      softTtlMs: FRESH_MS,
      staleWhileRevalidateMs: 0,
      staleIfErrorMs: 0,
      loadTimeoutMs: 1_000,
      followerWaitMs: 100,
    }),
  }
}
