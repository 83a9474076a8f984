import type { Cache } from '@melmastoon/chassis/cache'
import type { EventHandler } from '@melmastoon/chassis/inbox'
import type { TenantId } from '@melmastoon/domain'
import type { tenantReactivated, tenantSuspended } from '@melmastoon/platform-events'
import type { Static } from 'typebox'
import type { BlockedTenants, TenantDecision } from './blocked-tenants.ts'
import { tenantTags } from './read-tenant.ts'

export interface TenantHandlerDeps {
  readonly blocked: BlockedTenants
  readonly cache: Cache
}

/** `tags` are invalidated besides the tenant's own: entries that may contain any tenant. */
export function onTenantSuspended(deps: TenantHandlerDeps, tags: readonly string[]): EventHandler {
  return decisionHandler(deps, tags, (payload) => {
    const { tenantId, suspendedAt } = payload as Static<typeof tenantSuspended.payload>
    return { tenantId, blocked: true, decidedAtMs: Date.parse(suspendedAt) }
  })
}

export function onTenantReactivated(
  deps: TenantHandlerDeps,
  tags: readonly string[],
): EventHandler {
  return decisionHandler(deps, tags, (payload) => {
    const { tenantId, reactivatedAt } = payload as Static<typeof tenantReactivated.payload>
    return { tenantId, blocked: false, decidedAtMs: Date.parse(reactivatedAt) }
  })
}

/** The decision before the invalidation: pages composed because of the second know the first. */
function decisionHandler(
  { blocked, cache }: TenantHandlerDeps,
  tags: readonly string[],
  read: (payload: unknown) => TenantDecision & { readonly tenantId: TenantId },
): EventHandler {
  return {
    scope: 'service',
    handle: async () => undefined,
    async onCommitted({ payload }) {
      const { tenantId, ...decision } = read(payload)
      await blocked.decide(tenantId, decision)
      await cache.invalidate([...tenantTags(tenantId), ...tags])
    },
  }
}
