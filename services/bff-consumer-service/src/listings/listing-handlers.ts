import type { Cache } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { isProblem, type PropertyId } from '@melmastoon/domain'
import { defineEvent } from '@melmastoon/events'
import { listingIndexed } from '@melmastoon/platform-events'
import {
  cachePlaces,
  EVERY_PAGE,
  listingTags,
  type Places,
  placeTags,
} from '../places/place-tags.ts'
import { UPSTREAM_MS, type Upstreams } from '../upstreams/create-upstreams.ts'

export interface ListingHandlerDeps {
  readonly cache: Cache
  readonly places: Places
  readonly upstreams: Pick<Upstreams, 'search'>
}

/** The search service's own name for the same event (D19). */
export const projectionUpdated = defineEvent({
  ...listingIndexed,
  subject: 'melmastoon.search.projection.updated.v1',
})

/**
 * Invalidates the hotel's own entries and the pages of its place. This process knows the place if
 * it has shown the hotel, otherwise it queries the search service; if that fails, all pages are
 * invalidated.
 */
export function onListingIndexed(deps: ListingHandlerDeps): EventHandler {
  return on([listingIndexed, projectionUpdated], {
    async afterCommit({ propertyId }) {
      await deps.cache.invalidate(listingTags(propertyId))
      const place = deps.places.get(propertyId) ?? (await requestPlace(deps, propertyId))
      await deps.cache.invalidate(place === undefined ? [EVERY_PAGE] : placeTags(place))
    },
  })
}

async function requestPlace({ places, upstreams }: ListingHandlerDeps, propertyId: PropertyId) {
  using deadline = createDeadline(UPSTREAM_MS.search)
  try {
    const { listing } = await upstreams.search.hotel({ params: { propertyId } }, { deadline })
    cachePlaces(places, [listing])
    return listing
  } catch (error) {
    if (isProblem(error) || error instanceof UpstreamRejection) return undefined
    throw error
  }
}
