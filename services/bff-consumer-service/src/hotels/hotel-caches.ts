import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

const FRESH_MS = 5 * 60_000
const STALE_WHILE_REVALIDATE_MS = 60_000
const STALE_IF_ERROR_MS = 10 * 60_000
const NEGATIVE_MS = 30_000
/** Revalidated in the background in the ten seconds before a price is stale. */
export const PRICE_FRESH_MS = 50_000
const PRICE_RENEWED_WITHIN_MS = 10_000
/** A page contains the ages of its sections at composition, so it is composed again often. */
const PAGE_MS = 60_000
const DERIVED_WAIT_MS = 100
/**
 * A process waits longer for another one's load than that load may take: otherwise it would repeat
 * a slow call. Each request still waits only as long as its own deadline allows.
 */
const FOLLOWER_MARGIN_MS = 1_000

export interface HotelCaches {
  /** Responses of the property service, in all languages. */
  readonly properties: DefinedCache<'propertyId'>
  /** Popularity and similar hotels, from the search projection. */
  readonly hotelSignals: DefinedCache<'propertyId'>
  /** Prices of a hotel as the price route sends them, with those of similar hotels as facts. */
  readonly hotelPrices: DefinedCache<'propertyId' | 'stay' | 'occupancy' | 'currency'>
  /** The long-lived part of a page in one language, with placeholders for prices. */
  readonly hotelTexts: DefinedCache<'sources' | 'brands' | 'locale'>
  /** Whole pages as they are sent. */
  readonly hotelPages: DefinedCache<'parts' | 'priced' | 'locale'>
}

/** 5 minutes fresh, 10 if an upstream is down (C11); prices a minute, in a campaign too (D6). */
export function defineHotels(cache: Cache): HotelCaches {
  const ofUpstream = (name: string, loadTimeoutMs: number) =>
    cache.define({
      name,
      dimensions: ['propertyId'],
      softTtlMs: FRESH_MS,
      staleWhileRevalidateMs: STALE_WHILE_REVALIDATE_MS,
      staleIfErrorMs: STALE_IF_ERROR_MS,
      negativeTtlMs: NEGATIVE_MS,
      jitter: 0.05,
      loadTimeoutMs,
      followerWaitMs: loadTimeoutMs + FOLLOWER_MARGIN_MS,
    })
  // Derived from other entries and identified by them: there is nothing to revalidate, and deriving
  // one is faster than waiting for another process that may have crashed.
  const derived = {
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 0,
    loadTimeoutMs: 1_000,
    followerWaitMs: DERIVED_WAIT_MS,
  }
  return {
    properties: ofUpstream('property', UPSTREAM_MS.property),
    // As long as the property, because a page waits for both.
    hotelSignals: ofUpstream('hotel-signals', UPSTREAM_MS.property),
    hotelPrices: cache.define({
      name: 'hotel-price',
      dimensions: ['propertyId', 'stay', 'occupancy', 'currency'],
      softTtlMs: PRICE_FRESH_MS,
      staleWhileRevalidateMs: PRICE_RENEWED_WITHIN_MS,
      staleIfErrorMs: STALE_IF_ERROR_MS,
      // Jitter would make prices older than a minute, and one hotel's prices cause no stampede.
      jitter: 0,
      loadTimeoutMs: UPSTREAM_MS.pricing,
      followerWaitMs: UPSTREAM_MS.pricing + FOLLOWER_MARGIN_MS,
    }),
    hotelTexts: cache.define({
      name: 'hotel-text',
      dimensions: ['sources', 'brands', 'locale'],
      softTtlMs: FRESH_MS,
      ...derived,
    }),
    hotelPages: cache.define({
      name: 'hotel-page',
      dimensions: ['parts', 'priced', 'locale'],
      softTtlMs: PAGE_MS,
      ...derived,
    }),
  }
}
