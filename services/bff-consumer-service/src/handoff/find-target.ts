import { readOpenTenant } from '@melmastoon/bff/tenants'
import { asAbsent, type UpstreamCall } from '@melmastoon/bff/upstreams'
import { isProblem, type PropertyId, type TenantId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { readListing } from '../listings/read-listings.ts'
import { unknownHotel } from '../listings/unknown-hotel.ts'

export interface Target {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

/**
 * Where a guest is sent: an open tenant, and a hotel that is its own. A hotel of somebody else is
 * as good as none (D18).
 */
export async function findTarget(ctx: ConsumerContext, target: Target, call: UpstreamCall) {
  const [tenant, ownerId] = await Promise.all([
    readOpenTenant(ctx, target.tenantId, {
      ...call,
      suspendedCode: 'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED',
    }),
    findOwner(ctx, target.propertyId, call),
  ])
  if (ownerId !== target.tenantId) throw unknownHotel()
  return tenant
}

/** Mostly known from the search; while that is away the property service tells as well. */
async function findOwner(
  ctx: ConsumerContext,
  propertyId: PropertyId,
  call: UpstreamCall,
): Promise<TenantId | null> {
  try {
    const listing = await readListing(ctx, propertyId, call)
    return listing?.tenantId ?? null
  } catch (error) {
    if (!isProblem(error)) throw error
    return await askOwner(ctx, propertyId, call)
  }
}

async function askOwner(
  { upstreams }: ConsumerContext,
  propertyId: PropertyId,
  call: UpstreamCall,
): Promise<TenantId | null> {
  const asked = { params: { propertyId } }
  const property = await upstreams.property.getProperty(asked, call).catch(asAbsent)
  return property?.tenantId ?? null
}
