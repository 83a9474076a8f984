import { onTenantReactivated, onTenantSuspended } from '@melmastoon/bff/tenants'
import type { Subscriptions } from '@melmastoon/chassis/service'
import { onThemePublished } from './brands/theme-handlers.ts'
import type { ConsumerContext } from './context.ts'
import { onHandoffConsumed } from './handoff/handoff-handlers.ts'
import { onListingIndexed } from './listings/listing-handlers.ts'
import { EVERY_HOTEL, EVERY_PAGE } from './places/place-tags.ts'

/**
 * All but the last invalidate caches only (C12), so they work while Postgres is down; the last one
 * waits for it.
 */
export const subscriptions: Subscriptions<ConsumerContext> = {
  handlers: (ctx) => [
    onTenantSuspended(ctx, [EVERY_PAGE, EVERY_HOTEL]),
    onTenantReactivated(ctx, [EVERY_PAGE, EVERY_HOTEL]),
    onThemePublished(ctx),
    onListingIndexed(ctx),
    onHandoffConsumed(),
  ],
}
