import type { LoadResult } from '@melmastoon/chassis/cache'
import { UpstreamRefusal } from '@melmastoon/chassis/upstream'
import { type Problem, problem, type TenantId } from '@melmastoon/domain'
import type { Tenant } from '@melmastoon/upstream-contracts/tenant'
import type { ConsumerContext } from '../context.ts'
import type { Call } from '../upstreams/call.ts'
import { tenantTags } from './define-tenants.ts'

type KnownTenant = Pick<Tenant, 'slug' | 'status'>

/**
 * A tenant that takes guests now. Money may follow, so whoever cannot be asked about is refused
 * (D22), and one that is closed looks like none (D18).
 * @throws Problem TENANT_SUSPENDED, TENANT.NOT_FOUND, or what keeps us from asking.
 */
export async function readOpenTenant(
  ctx: ConsumerContext,
  tenantId: TenantId,
  call: Call,
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
  { deadline, trace }: Call,
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
  call: Call,
): Promise<LoadResult> {
  try {
    const { slug, status } = await upstreams.tenant.getTenant({ params: { tenantId } }, call)
    const known: KnownTenant = { slug, status }
    return { body: JSON.stringify(known) }
  } catch (error) {
    if (error instanceof UpstreamRefusal && error.status === 404) return { status: 404, body: '' }
    throw error
  }
}

function suspended(): Problem {
  return problem('MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED')
}
