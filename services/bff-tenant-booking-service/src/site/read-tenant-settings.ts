import { tenantTags } from '@melmastoon/bff/tenants'
import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, CachedBytes, DefinedCache } from '@melmastoon/chassis/cache'
import { problem, type TenantId } from '@melmastoon/domain'
import type { Tenant, tenantContract } from '@melmastoon/upstream-contracts/tenant'

export type TenantSettingsCache = DefinedCache<'tenantId'>

/** What a site shows of its tenant. */
export type SiteSettings = Pick<Tenant, 'displayName' | 'config'>

export interface TenantSettingsDeps {
  readonly tenantSettings: TenantSettingsCache
  readonly upstreams: { readonly tenant: ClientOf<typeof tenantContract> }
}

export function defineTenantSettings(cache: Cache, loadTimeoutMs: number): TenantSettingsCache {
  return cache.define({
    name: 'tenant-settings',
    dimensions: ['tenantId'],
    softTtlMs: 5 * 60_000,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 30 * 60_000,
    loadTimeoutMs,
  })
}

/** @throws Problem when they are not cached and the tenant service does not respond. */
export async function readTenantSettings(
  deps: TenantSettingsDeps,
  tenantId: TenantId,
  { deadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  const entry = await deps.tenantSettings.get({
    dims: { tenantId },
    tags: tenantTags(tenantId),
    deadline,
    load: async (_signal, loadDeadline) => {
      const call = { deadline: loadDeadline, trace }
      const tenant = await deps.upstreams.tenant
        .getTenant({ params: { tenantId } }, call)
        .catch(asAbsent)
      if (tenant === null) return { status: 404, body: '' }
      const { displayName, config } = tenant
      return { body: JSON.stringify({ displayName, config } satisfies SiteSettings) }
    },
  })
  if (entry.status !== 200) throw problem('MELMASTOON.BFF.TENANT.SITE_NOT_FOUND')
  return entry
}

export function settingsOf(entry: CachedBytes): SiteSettings {
  return JSON.parse(entry.body.toString()) as SiteSettings
}
