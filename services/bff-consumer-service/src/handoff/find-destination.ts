import { readOpenTenant } from '@melmastoon/bff/tenants'
import { asAbsent, type UpstreamCall } from '@melmastoon/bff/upstreams'
import { isProblem, type PropertyId, type TenantId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { unknownHotel } from '../listings/listing-cache.ts'
import { readListing } from '../listings/read-listings.ts'

export interface Destination {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

/**
 * The tenant of the destination, which must be open and own the hotel. A hotel of another tenant is
 * reported as unknown (D18).
 */
export async function findDestination(
  ctx: ConsumerContext,
  destination: Destination,
  call: UpstreamCall,
) {
  const [tenant, ownerId] = await Promise.all([
    readOpenTenant(ctx, destination.tenantId, {
      ...call,
      suspendedCode: 'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED',
    }),
    findOwner(ctx, destination.propertyId, call),
  ])
  if (ownerId !== destination.tenantId) throw unknownHotel()
  return tenant
}

/** Usually in the listing; without the search service the property service is called. */
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
    return await fetchOwner(ctx, propertyId, call)
  }
}

async function fetchOwner(
  { upstreams }: ConsumerContext,
  propertyId: PropertyId,
  call: UpstreamCall,
): Promise<TenantId | null> {
  const input = { params: { propertyId } }
  const property = await upstreams.property.getProperty(input, call).catch(asAbsent)
  return property?.tenantId ?? null
}
