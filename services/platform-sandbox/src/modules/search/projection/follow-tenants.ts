import type { EventHandler } from '@melmastoon/chassis/inbox'
import { idToUuid, type TenantId, uuidToId } from '@melmastoon/domain'
import { touchListings } from '../sql/touch-listings.ts'
import { upsertTenant } from '../sql/upsert-tenant.ts'
import { announceListings } from './announce-listings.ts'
import { follow, type Projector } from './projector.ts'

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
