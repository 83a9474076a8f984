import { readOpenTenant, type TenantDeps } from '@melmastoon/bff/tenants'
import { asAbsent, type UpstreamCall } from '@melmastoon/bff/upstreams'
import { isProblem, type PropertyId, type TenantId } from '@melmastoon/domain'
import { unknownHotel } from '../listings/listing-cache.ts'
import { type ListingDeps, readListing } from '../listings/read-listings.ts'
import type { Upstreams } from '../upstreams/create-upstreams.ts'

export interface DestinationDeps extends TenantDeps, ListingDeps {
  readonly blocked: TenantDeps['blocked']
  readonly upstreams: Upstreams
}

export interface Destination {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

/**
 * The tenant of the destination, which must be open and own the hotel. A hotel of another tenant is
 * reported as unknown (D18).
 */
export async function findDestination(
  deps: DestinationDeps,
  destination: Destination,
  call: UpstreamCall,
) {
  const [tenant, ownerId] = await Promise.all([
    readOpenTenant(deps, destination.tenantId, {
      ...call,
      suspendedCode: 'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED',
    }),
    findOwner(deps, destination.propertyId, call),
  ])
  if (ownerId !== destination.tenantId) throw unknownHotel()
  return tenant
}

/** Usually in the listing; without the search service the property service is called. */
async function findOwner(
  deps: DestinationDeps,
  propertyId: PropertyId,
  call: UpstreamCall,
): Promise<TenantId | null> {
  try {
    const listing = await readListing(deps, propertyId, call)
    return listing?.tenantId ?? null
  } catch (error) {
    if (!isProblem(error) || call.deadline.signal.aborted) throw error
    return await fetchOwner(deps, propertyId, call)
  }
}

async function fetchOwner(
  { upstreams }: DestinationDeps,
  propertyId: PropertyId,
  call: UpstreamCall,
): Promise<TenantId | null> {
  const input = { params: { propertyId } }
  const property = await upstreams.property.getProperty(input, call).catch(asAbsent)
  return property?.tenantId ?? null
}
