import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import type { TenantId } from '@melmastoon/domain'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

export type TenantCache = DefinedCache<'tenantId'>

/**
 * One entry per tenant: where its site is and whether it takes guests. A suspension does not wait
 * for the minute to pass: its event ends the entry.
 */
export function defineTenants(cache: Cache): TenantCache {
  return cache.define({
    name: 'tenant',
    dimensions: ['tenantId'],
    softTtlMs: 60_000,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 10 * 60_000,
    negativeTtlMs: 10_000,
    loadTimeoutMs: UPSTREAM_MS.tenant,
  })
}

export function tenantTags(tenantId: TenantId): readonly string[] {
  return [`tenant:${tenantId}`]
}
