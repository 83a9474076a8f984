import type { Cache, DefinedCache, LoadResult } from '@melmastoon/chassis/cache'
import { type ProblemCode, problem, type TenantId } from '@melmastoon/domain'
import type { Tenant, tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { asAbsent, type ClientOf, type UpstreamCall } from '../upstreams/index.ts'
import type { BlockedTenants } from './blocked-tenants.ts'

export type TenantCache = DefinedCache<'tenantId'>

export interface TenantDeps {
  readonly blocked: BlockedTenants
  readonly tenants: TenantCache
  readonly upstreams: {
    readonly tenant: Pick<ClientOf<typeof tenantContract>, 'getTenant'>
  }
}

export interface ReadOpenTenant extends UpstreamCall {
  /** The service's own code for a suspended tenant. */
  readonly suspendedCode: ProblemCode
}

type KnownTenant = Pick<Tenant, 'slug' | 'status'>

/** One entry per tenant. A suspension takes effect at once: its event invalidates the entry. */
export function defineTenants(cache: Cache, loadTimeoutMs: number): TenantCache {
  return cache.define({
    name: 'tenant',
    dimensions: ['tenantId'],
    softTtlMs: 60_000,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 10 * 60_000,
    negativeTtlMs: 10_000,
    loadTimeoutMs,
  })
}

export function tenantTags(tenantId: TenantId): readonly string[] {
  return [`tenant:${tenantId}`]
}

/**
 * A tenant that accepts guests. Payments may follow, so an unknown state is an error (D22), and a
 * closed tenant is reported like one that never existed (D18).
 * @throws Problem `suspendedCode`, TENANT.NOT_FOUND, or why the tenant service cannot be called.
 */
export async function readOpenTenant(
  deps: TenantDeps,
  tenantId: TenantId,
  { suspendedCode, ...call }: ReadOpenTenant,
): Promise<KnownTenant> {
  await deps.blocked.refresh()
  if (deps.blocked.has(tenantId)) throw problem(suspendedCode)
  const tenant = await readTenant(deps, tenantId, call)
  if (tenant === null || tenant.status === 'closed') throw problem('MELMASTOON.TENANT.NOT_FOUND')
  // Checked again: the suspension may have been published during the read.
  if (tenant.status === 'suspended' || deps.blocked.has(tenantId)) throw problem(suspendedCode)
  return tenant
}

async function readTenant(
  deps: TenantDeps,
  tenantId: TenantId,
  { deadline, trace }: UpstreamCall,
): Promise<KnownTenant | null> {
  const entry = await deps.tenants.get({
    dims: { tenantId },
    tags: tenantTags(tenantId),
    deadline,
    load: (_signal, loadDeadline) => load(deps, tenantId, { deadline: loadDeadline, trace }),
  })
  return entry.status === 200 ? (JSON.parse(entry.body.toString()) as KnownTenant) : null
}

async function load(
  { upstreams }: TenantDeps,
  tenantId: TenantId,
  call: UpstreamCall,
): Promise<LoadResult> {
  const tenant = await upstreams.tenant.getTenant({ params: { tenantId } }, call).catch(asAbsent)
  if (tenant === null) return { status: 404, body: '' }
  const known: KnownTenant = { slug: tenant.slug, status: tenant.status }
  return { body: JSON.stringify(known) }
}
