import {
  type BatchCache,
  type Cache,
  type DefinedCache,
  defineBatches,
} from '@melmastoon/chassis/cache'
import type { PropertyId } from '@melmastoon/domain'
import { rememberAddresses } from '../remember-addresses.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

const FRESH_MS = 5 * 60_000

export type ListingCache = DefinedCache<'propertyId'>

/** One entry per hotel: what the search projection tells of it, in all languages. */
export function defineListings(cache: Cache): ListingCache {
  return cache.define({
    name: 'listing',
    dimensions: ['propertyId'],
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 60_000,
    staleIfErrorMs: 10 * 60_000,
    negativeTtlMs: 30_000,
    loadTimeoutMs: UPSTREAM_MS.search,
  })
}

/** Responses of the search service to requests for many hotels at once. */
export function defineListingBatches(cache: Cache): BatchCache {
  return defineBatches(cache, { name: 'listing-batch', loadTimeoutMs: UPSTREAM_MS.search })
}

/** On everything that is kept of any hotel: tenants that come and go. */
export const EVERY_HOTEL = 'hotel'

function hotelTags(propertyId: PropertyId): readonly string[] {
  return [EVERY_HOTEL, ...listingTags(propertyId)]
}

export const hotelAddress = rememberAddresses('propertyId', hotelTags)

/** What a change of this hotel hits. */
export function listingTags(propertyId: PropertyId): readonly string[] {
  return [`listing:${propertyId}`]
}
