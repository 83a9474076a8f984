import {
  type BatchCache,
  type Cache,
  type DefinedCache,
  defineBatches,
  memoizeAddresses,
} from '@melmastoon/chassis/cache'
import { type Problem, type PropertyId, problem } from '@melmastoon/domain'
import { EVERY_HOTEL, listingTags } from '../places/place-tags.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

const FRESH_MS = 5 * 60_000

export type ListingCache = DefinedCache<'propertyId'>

/** One entry per hotel: its listing in the search projection, in all languages. */
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

function hotelTags(propertyId: PropertyId): readonly string[] {
  return [EVERY_HOTEL, ...listingTags(propertyId)]
}

export const hotelAddress = memoizeAddresses('propertyId', hotelTags)

/** Withdrawn, suspended and non-existent hotels get the same response (D18). */
export function unknownHotel(pointer = '/params/propertyId'): Problem {
  const error = { pointer, code: 'unknown', detail: 'is not the id of a visible hotel' }
  return problem('MELMASTOON.PROPERTY.NOT_FOUND', { errors: [error] })
}
