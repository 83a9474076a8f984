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

/** Of the tenant that an event is about. */
interface NamedTenant {
  readonly tenantId: TenantId
  readonly slug: string
}

/**
 * What is invalidated besides the tenant's own entries: those that may contain any tenant, or those
 * that are found by its slug.
 */
type MoreTags = readonly string[] | ((tenant: NamedTenant) => readonly string[])

export function onTenantSuspended(deps: TenantHandlerDeps, tags: MoreTags): EventHandler {
  return on(tenantSuspended, {
    afterCommit: ({ suspendedAt, ...tenant }) =>
      decide(deps, tagsOf(tags, tenant), {
        tenantId: tenant.tenantId,
        blocked: true,
        decidedAtMs: Date.parse(suspendedAt),
      }),
  })
}

export function onTenantReactivated(deps: TenantHandlerDeps, tags: MoreTags): EventHandler {
  return on(tenantReactivated, {
    afterCommit: ({ reactivatedAt, ...tenant }) =>
      decide(deps, tagsOf(tags, tenant), {
        tenantId: tenant.tenantId,
        blocked: false,
        decidedAtMs: Date.parse(reactivatedAt),
      }),
  })
}

function tagsOf(tags: MoreTags, tenant: NamedTenant): readonly string[] {
  return typeof tags === 'function' ? tags(tenant) : tags
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
