import { createDeadline } from '@melmastoon/chassis/clock'
import type { ErrorReporter, TraceContext } from '@melmastoon/chassis/telemetry'
import type { PropertyId, TenantId } from '@melmastoon/domain'
import { type ListingDeps, readListing } from '../listings/read-listings.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

export interface KnownHotel {
  readonly propertyId: PropertyId
  readonly tenantId: TenantId
}

/**
 * The tenant of a hotel, which is never taken from the client. Null for a hotel that is not listed,
 * and while search is unavailable: then the event is published without it.
 */
export async function findHotel(
  deps: ListingDeps & { readonly errors: ErrorReporter },
  propertyId: PropertyId | undefined,
  trace: TraceContext,
): Promise<KnownHotel | null> {
  if (propertyId === undefined) return null
  using deadline = createDeadline(UPSTREAM_MS.search)
  try {
    const listing = await readListing(deps, propertyId, { deadline, trace })
    return listing === null ? null : { propertyId, tenantId: listing.tenantId }
  } catch (error) {
    deps.errors.report('telemetry', error)
    return null
  }
}
