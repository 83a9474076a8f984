import { createDeadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { PropertyId, TenantId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { readListing } from '../listings/read-listings.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

export interface KnownHotel {
  readonly propertyId: PropertyId
  readonly tenantId: TenantId
}

/**
 * Whose hotel it is, which no client is believed. Null for one that strangers cannot see, and while
 * nobody can be asked: then what happened is told without it.
 */
export async function findHotel(
  ctx: ConsumerContext,
  propertyId: PropertyId | undefined,
  trace: TraceContext,
): Promise<KnownHotel | null> {
  if (propertyId === undefined) return null
  using deadline = createDeadline(UPSTREAM_MS.search)
  try {
    const listing = await readListing(ctx, propertyId, { deadline, trace })
    return listing === null ? null : { propertyId, tenantId: listing.tenantId }
  } catch (error) {
    ctx.errors.report('telemetry', error, 'find-hotel')
    return null
  }
}
