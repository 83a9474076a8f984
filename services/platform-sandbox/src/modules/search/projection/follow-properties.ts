import type { EventHandler } from '@melmastoon/chassis/inbox'
import type { PropertyRef } from '../search-sources.ts'
import { indexListing } from './index-listing.ts'
import { follow, type Projector } from './projector.ts'

/** For events that name a property whose listing may have changed. */
export function followProperties(projector: Projector, reason: string): EventHandler {
  return follow(projector, async (tx, event) => {
    const { tenantId, propertyId } = event.payload as PropertyRef
    await indexListing(projector, tx, { property: { tenantId, propertyId }, event, reason })
  })
}
