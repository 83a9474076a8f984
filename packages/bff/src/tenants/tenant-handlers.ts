import type { Cache } from '@melmastoon/chassis/cache'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import type { TenantId } from '@melmastoon/domain'
import { tenantReactivated, tenantSuspended } from '@melmastoon/platform-events'
import type { BlockedTenants, TenantDecision } from './blocked-tenants.ts'
import { tenantTags } from './read-tenant.ts'

export interface TenantHandlerDeps {
  readonly blocked: BlockedTenants
  readonly cache: Cache
}

/** `tags` are invalidated besides the tenant's own: entries that may contain any tenant. */
export function onTenantSuspended(deps: TenantHandlerDeps, tags: readonly string[]): EventHandler {
  return on(tenantSuspended, {
    afterCommit: ({ tenantId, suspendedAt }) =>
      decide(deps, tags, { tenantId, blocked: true, decidedAtMs: Date.parse(suspendedAt) }),
  })
}

export function onTenantReactivated(
  deps: TenantHandlerDeps,
  tags: readonly string[],
): EventHandler {
  return on(tenantReactivated, {
    afterCommit: ({ tenantId, reactivatedAt }) =>
      decide(deps, tags, { tenantId, blocked: false, decidedAtMs: Date.parse(reactivatedAt) }),
  })
}

/** The decision before the invalidation: pages composed because of the second know the first. */
async function decide(
  { blocked, cache }: TenantHandlerDeps,
  tags: readonly string[],
  { tenantId, ...decision }: TenantDecision & { readonly tenantId: TenantId },
): Promise<void> {
  await blocked.decide(tenantId, decision)
  await cache.invalidate([...tenantTags(tenantId), ...tags])
}
