import type { EventHandler } from '@melmastoon/chassis/inbox'
import { type IsoDate, idToUuid, type StayDates, type TenantId, uuidToId } from '@melmastoon/domain'
import { touchListings } from '../listing-sql.ts'
import { countPopularity } from '../popularity-sql.ts'
import type { PropertyRef } from '../search-sources.ts'
import { upsertTenant } from '../tenant-sql.ts'
import { announceListings } from './announce-listings.ts'
import { indexListing } from './index-listing.ts'
import { follow, type Projector } from './projector.ts'
import { rereadNights } from './reread-nights.ts'

/** For events that name a property whose listing may have changed. */
export function followProperties(projector: Projector, reason: string): EventHandler {
  return follow(projector, async (tx, event) => {
    const { tenantId, propertyId } = event.payload as PropertyRef
    await indexListing(projector, tx, { property: { tenantId, propertyId }, event, reason })
  })
}

/** Rooms were promised, sold or given back: the nights in question are read anew. */
export function followAllocations(projector: Projector, isSale = false): EventHandler {
  return follow(projector, async (tx, event) => {
    const allocation = event.payload as PropertyRef & StayDates
    await rereadNights(projector.sources, tx, allocation)
    if (isSale) await tx.query(countPopularity(idToUuid(allocation.propertyId), ['booked_24h']))
  })
}

/** The house has more or fewer rooms to sell in some nights. */
export function followCapacity(projector: Projector): EventHandler {
  return follow(projector, async (tx, event) => {
    const { from, to, ...property } = event.payload as PropertyRef & { from: IsoDate; to: IsoDate }
    await rereadNights(projector.sources, tx, { ...property, checkIn: from, checkOut: to })
  })
}

type Standing = { tenantId: TenantId; suspendedAt?: string; reactivatedAt?: string }

/** A suspended tenant's hotels are gone from results at once, and back when it is. */
export function followTenants(projector: Projector): EventHandler {
  return follow(projector, async (tx, event) => {
    const { tenantId, suspendedAt, reactivatedAt } = event.payload as Standing
    const isSuspended = suspendedAt !== undefined
    const since = suspendedAt ?? reactivatedAt ?? event.envelope.occurredAt
    const tenantUuid = idToUuid(tenantId)
    const changed = await tx.query(upsertTenant(tenantUuid, isSuspended, since))
    if (changed.length === 0) return
    const touched = await tx.query(touchListings(tenantUuid))
    const listings = touched.map(({ property_id, version, indexed_at: indexedAt }) => ({
      tenantId,
      propertyId: uuidToId('ppt', property_id),
      version,
      indexedAt,
    }))
    const reason = isSuspended ? 'tenant_suspended' : 'tenant_reactivated'
    await announceListings(tx, listings, { projector, event, reason })
  })
}
