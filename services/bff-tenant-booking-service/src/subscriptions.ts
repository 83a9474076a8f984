import { onTenantReactivated, onTenantSuspended } from '@melmastoon/bff/tenants'
import type { Subscriptions } from '@melmastoon/chassis/service'
import { onAllocationCommitted, onRatePlanPublished } from './availability/availability-handlers.ts'
import { onThemePublished } from './bootstrap/theme.ts'
import type { BookingContext } from './context.ts'
import { onSessionRevoked } from './sessions/session-handlers.ts'
import { onTenantConfigUpdated, siteTags } from './site/site-handlers.ts'

/** These invalidate caches only, so they work while Postgres is down. */
export const subscriptions: Subscriptions<BookingContext> = {
  /** Named as in the event schemas document §4 and §9 (D32). */
  name: 'bff-tenant-booking',
  deadLetterName: (subject) => `bff-tenant-dlq.${subject}`,
  handlers: (ctx) => [
    onTenantSuspended(ctx, siteTags),
    onTenantReactivated(ctx, siteTags),
    onTenantConfigUpdated(ctx),
    onThemePublished(ctx),
    onRatePlanPublished(ctx),
    onAllocationCommitted(ctx),
    onSessionRevoked(ctx),
  ],
}
