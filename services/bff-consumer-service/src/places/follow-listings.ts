import { createDeadline } from '@melmastoon/chassis/clock'
import type { EventHandler } from '@melmastoon/chassis/inbox'
import { UpstreamRefusal } from '@melmastoon/chassis/upstream'
import { isProblem, type PropertyId } from '@melmastoon/domain'
import type { listingIndexed } from '@melmastoon/platform-events'
import type { Static } from 'typebox'
import type { ConsumerContext } from '../context.ts'
import { listingTags } from '../listings/define-listings.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import { rememberPlaces } from './remember-places.ts'
import { EVERY_PAGE, tagsOfPlace } from './tags-of-area.ts'

/**
 * What is kept of the hotel is made anew, and pages of its own place are. Where that is, this
 * process knows from showing it, or asks; when nobody can tell, every page is.
 */
export function renewListing(ctx: ConsumerContext): EventHandler {
  return {
    scope: 'service',
    handle: async () => undefined,
    async onCommitted({ payload }) {
      const { propertyId } = payload as Static<typeof listingIndexed.payload>
      await ctx.cache.invalidate(listingTags(propertyId))
      const place = ctx.places.get(propertyId) ?? (await askForPlace(ctx, propertyId))
      await ctx.cache.invalidate(place === undefined ? [EVERY_PAGE] : tagsOfPlace(place))
    },
  }
}

async function askForPlace(ctx: ConsumerContext, propertyId: PropertyId) {
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
