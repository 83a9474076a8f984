import type { PropertyId } from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import { LRUCache } from 'lru-cache'
import type { Place } from './tags-of-area.ts'

/** Where the hotels are that this process has shown; others are asked for when it matters. */
export type Places = LRUCache<PropertyId, Place>

const PLACES_MAX = 20_000

export function createPlaces(): Places {
  return new LRUCache({ max: PLACES_MAX })
}

export function rememberPlaces(places: Places, listings: readonly Listing[]): void {
  for (const { propertyId, city, cityName, region, geo } of listings) {
    places.set(propertyId, { city, cityName, region, geo })
  }
}
