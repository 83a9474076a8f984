import { asAbsent, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { LoadResult } from '@melmastoon/chassis/cache'
import { type Problem, problem, type TenantId } from '@melmastoon/domain'
import type { Tenant } from '@melmastoon/upstream-contracts/tenant'
import type { ConsumerContext } from '../context.ts'
import { tenantTags } from './define-tenants.ts'

type KnownTenant = Pick<Tenant, 'slug' | 'status'>

/**
 * A tenant that takes guests now. Money may follow, so one of whom nobody knows anything is refused
 * (D22), and one that is closed looks like none (D18).
 * @throws Problem TENANT_SUSPENDED, TENANT.NOT_FOUND, or what keeps us from asking.
 */
export async function readOpenTenant(
  ctx: ConsumerContext,
  tenantId: TenantId,
  call: UpstreamCall,
): Promise<KnownTenant> {
  await ctx.blocked.refresh()
  if (ctx.blocked.has(tenantId)) throw suspended()
  const tenant = await readTenant(ctx, tenantId, call)
  if (tenant === null || tenant.status === 'closed') throw problem('MELMASTOON.TENANT.NOT_FOUND')
  // Asked once more: its suspension may have been announced while we were reading.
  if (tenant.status === 'suspended' || ctx.blocked.has(tenantId)) throw suspended()
  return tenant
}

async function readTenant(
  ctx: ConsumerContext,
  tenantId: TenantId,
  { deadline, trace }: UpstreamCall,
): Promise<KnownTenant | null> {
  const entry = await ctx.tenants.get({
    dims: { tenantId },
    tags: tenantTags(tenantId),
    deadline,
    load: (_signal, loadDeadline) => load(ctx, tenantId, { deadline: loadDeadline, trace }),
  })
  return entry.status === 200 ? (JSON.parse(entry.body.toString()) as KnownTenant) : null
}

async function load(
  { upstreams }: ConsumerContext,
  tenantId: TenantId,
  call: UpstreamCall,
): Promise<LoadResult> {
  const asked = { params: { tenantId } }
  const tenant = await upstreams.tenant.getTenant(asked, call).catch(asAbsent)
  if (tenant === null) return { status: 404, body: '' }
  const known: KnownTenant = { slug: tenant.slug, status: tenant.status }
  return { body: JSON.stringify(known) }
}

function suspended(): Problem {
  return problem('MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED')
}
