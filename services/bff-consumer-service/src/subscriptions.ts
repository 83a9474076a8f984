import { onTenantReactivated, onTenantSuspended } from '@melmastoon/bff/tenants'
import type { Subscriptions } from '@melmastoon/chassis/service'
import { createRegistry, defineEvent } from '@melmastoon/events'
import {
  listingIndexed,
  tenantReactivated,
  tenantSuspended,
  themePublished,
} from '@melmastoon/platform-events'
import { renewBrand } from './brands/follow-themes.ts'
import type { ConsumerContext } from './context.ts'
import { EVERY_HOTEL } from './listings/define-listings.ts'
import { renewListing } from './places/follow-listings.ts'
import { EVERY_PAGE } from './places/tags-of-area.ts'

/** The search service's own name for the same event (D19). */
export const projectionUpdated = defineEvent({
  ...listingIndexed,
  subject: 'melmastoon.search.projection.updated.v1',
})

export const inboundRegistry = createRegistry([
  tenantSuspended,
  tenantReactivated,
  themePublished,
  listingIndexed,
  projectionUpdated,
])

/** The platform events this service consumes. All of them concern caches only (C12). */
export const subscriptions: Subscriptions<ConsumerContext> = {
  registry: inboundRegistry,
  aliases: { [projectionUpdated.subject]: listingIndexed.subject },
  handlers: (ctx) => ({
    [tenantSuspended.subject]: onTenantSuspended(ctx, [EVERY_PAGE, EVERY_HOTEL]),
    [tenantReactivated.subject]: onTenantReactivated(ctx, [EVERY_PAGE, EVERY_HOTEL]),
    [themePublished.subject]: renewBrand(ctx),
    [listingIndexed.subject]: renewListing(ctx),
  }),
}
