import { onTenantReactivated, onTenantSuspended } from '@melmastoon/bff/tenants'
import type { EventHandler } from '@melmastoon/chassis/inbox'
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

/** The search service's own name for the same news (D19). */
export const projectionUpdated = defineEvent({
  ...listingIndexed,
  subject: 'melmastoon.search.projection.updated.v1',
})

/** What the platform tells us, and nothing else is believed. */
export const inboundRegistry = createRegistry([
  tenantSuspended,
  tenantReactivated,
  themePublished,
  listingIndexed,
  projectionUpdated,
])

export const ALIASES = { [projectionUpdated.subject]: listingIndexed.subject }

/** All of it concerns caches (C12): nothing is written here because of what others did. */
export function createHandlers(ctx: ConsumerContext): Record<string, EventHandler> {
  return {
    [tenantSuspended.subject]: onTenantSuspended(ctx, [EVERY_PAGE, EVERY_HOTEL]),
    [tenantReactivated.subject]: onTenantReactivated(ctx, [EVERY_PAGE, EVERY_HOTEL]),
    [themePublished.subject]: renewBrand(ctx),
    [listingIndexed.subject]: renewListing(ctx),
  }
}
