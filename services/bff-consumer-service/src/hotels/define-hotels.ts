import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

const FRESH_MS = 5 * 60_000
const STALE_WHILE_REVALIDATE_MS = 60_000
const STALE_IF_ERROR_MS = 10 * 60_000
const NEGATIVE_MS = 30_000
/** Renewed before it is stale; in the ten seconds between, behind the answer. */
export const PRICE_FRESH_MS = 50_000
const PRICE_RENEWED_WITHIN_MS = 10_000
/** A page tells how old its sections were when it was joined, so it is joined anew often. */
const JOINED_MS = 60_000
const DERIVED_WAIT_MS = 100
/**
 * A process waits longer for another one's load than that load may take: otherwise it would repeat
 * a slow call. Each request still waits only as long as its own deadline allows.
 */
const FOLLOWER_MARGIN_MS = 1_000

export interface HotelCaches {
  /** What the property service tells, in all languages. */
  readonly properties: DefinedCache<'propertyId'>
  /** What the search projection adds: popularity, and hotels like it. */
  readonly hotelSignals: DefinedCache<'propertyId'>
  /** Prices of a hotel and of those like it, as the price route sends them. */
  readonly hotelPrices: DefinedCache<'propertyId' | 'stay' | 'occupancy' | 'currency'>
  /** The part of a page that lives long, in one language, with gaps for prices. */
  readonly hotelTexts: DefinedCache<'sources' | 'brands' | 'locale'>
  /** Whole pages, ready to send. */
  readonly hotelPages: DefinedCache<'parts' | 'priced' | 'locale'>
}

/** Five minutes fresh and ten in need (C11); prices a minute, in a campaign too (D6). */
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
  // Made of other entries alone, and named by them: there is nothing to refresh, and making one is
  // quicker than waiting for another process that may have died over it.
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
      // Later than a minute would be too late, and one hotel's prices are no stampede.
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
      softTtlMs: JOINED_MS,
      ...derived,
    }),
  }
}
