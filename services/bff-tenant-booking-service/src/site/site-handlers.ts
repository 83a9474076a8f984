import { tenantTags } from '@melmastoon/bff/tenants'
import type { Cache } from '@melmastoon/chassis/cache'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { tenantConfigUpdated } from '@melmastoon/platform-events'

/** Entries that map a tenant's own domain to its slug: an event does not name the domains. */
export const EVERY_DOMAIN = 'domains'

export function slugTag(slug: string): string {
  return `slug:${slug}`
}

export function siteTags({ slug }: { readonly slug: string }): readonly string[] {
  return [slugTag(slug), EVERY_DOMAIN]
}

export function onTenantConfigUpdated({ cache }: { readonly cache: Cache }): EventHandler {
  return on(tenantConfigUpdated, {
    afterCommit: async ({ tenantId, slug }) => {
      await cache.invalidate([...tenantTags(tenantId), ...siteTags({ slug })])
    },
  })
}
