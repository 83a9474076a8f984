import { createDeadline } from '@melmastoon/chassis/clock'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { UpstreamRefusal } from '@melmastoon/chassis/upstream'
import { isProblem, type PropertyId } from '@melmastoon/domain'
import { defineEvent } from '@melmastoon/events'
import { listingIndexed } from '@melmastoon/platform-events'
import type { ConsumerContext } from '../context.ts'
import { listingTags } from '../listings/define-listings.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import { rememberPlaces } from './remember-places.ts'
import { EVERY_PAGE, tagsOfPlace } from './tags-of-area.ts'

/** The search service's own name for the same event (D19). */
export const projectionUpdated = defineEvent({
  ...listingIndexed,
  subject: 'melmastoon.search.projection.updated.v1',
})

/**
 * Everything cached of the hotel is invalidated, and the pages of its place. Where that is, this
 * process knows from an earlier response, or asks the search service; if it is unknown, every page.
 */
export function onListingIndexed(ctx: ConsumerContext): EventHandler {
  return on([listingIndexed, projectionUpdated], {
    async afterCommit({ propertyId }) {
      await ctx.cache.invalidate(listingTags(propertyId))
      const place = ctx.places.get(propertyId) ?? (await findPlace(ctx, propertyId))
      await ctx.cache.invalidate(place === undefined ? [EVERY_PAGE] : tagsOfPlace(place))
    },
  })
}

async function findPlace(ctx: ConsumerContext, propertyId: PropertyId) {
  using deadline = createDeadline(UPSTREAM_MS.search)
  try {
    const { listing } = await ctx.upstreams.search.hotel({ params: { propertyId } }, { deadline })
    rememberPlaces(ctx.places, [listing])
    return listing
  } catch (error) {
    if (isProblem(error) || error instanceof UpstreamRefusal) return undefined
    throw error
  }
}
