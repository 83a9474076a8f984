import type { Tx } from '@melmastoon/chassis/db'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { idToUuid, type TenantId, uuidToId } from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import {
  allocationCommitted,
  allocationReleased,
  allocationRequested,
  capacityChanged,
  propertyUpdated,
  ratePlanPublished,
  tenantConfigUpdated,
  tenantReactivated,
  tenantSuspended,
} from '@melmastoon/platform-events'
import { selectPropertiesOf, touchListings } from '../listing-sql.ts'
import { countBooking } from '../popularity-sql.ts'
import type { PropertyRef } from '../search-sources.ts'
import { upsertTenant } from '../tenant-sql.ts'
import { indexListing } from './index-listing.ts'
import type { Projector } from './projector.ts'
import { publishListings } from './publish-listings.ts'
import { refreshNights } from './refresh-nights.ts'

/**
 * The tables change in the transaction that records the event, this process's index right after. If
 * that refresh fails, the next poll brings the change, as it does in the other processes.
 */
export function projectionHandlers(projector: Projector): readonly EventHandler[] {
  const { updater, sources } = projector
  const afterCommit = () => updater.refresh().catch(() => undefined)
  const index = (tx: Tx, { tenantId, propertyId }: PropertyRef, change: Change) =>
    indexListing(projector, tx, { property: { tenantId, propertyId }, ...change })
  return [
    on(tenantSuspended, {
      handle: (tx, { tenantId, suspendedAt: since }, event) =>
        changeTenant(projector, tx, { tenantId, isSuspended: true, since, event }),
      afterCommit,
    }),
    on(tenantReactivated, {
      handle: (tx, { tenantId, reactivatedAt: since }, event) =>
        changeTenant(projector, tx, { tenantId, isSuspended: false, since, event }),
      afterCommit,
    }),
    on(tenantConfigUpdated, {
      async handle(tx, { tenantId, changed }, event) {
        const isListed = changed.some((setting) => PAYMENT_SETTINGS.has(setting))
        if (isListed) await indexTenant(projector, tx, { tenantId, event })
      },
      afterCommit,
    }),
    on(propertyUpdated, {
      handle: (tx, property, event) => index(tx, property, { event, reason: 'property_updated' }),
      afterCommit,
    }),
    on(ratePlanPublished, {
      handle: (tx, plan, event) => index(tx, plan, { event, reason: 'rate_plan_published' }),
      afterCommit,
    }),
    on([allocationRequested, allocationReleased], {
      handle: (tx, allocation) => refreshNights(sources, tx, allocation),
      afterCommit,
    }),
    on(allocationCommitted, {
      async handle(tx, allocation) {
        await refreshNights(sources, tx, allocation)
        await tx.query(countBooking(idToUuid(allocation.propertyId)))
      },
      afterCommit,
    }),
    on(capacityChanged, {
      handle: (tx, { tenantId, propertyId, from, to }) =>
        refreshNights(sources, tx, { tenantId, propertyId, checkIn: from, checkOut: to }),
      afterCommit,
    }),
  ]
}

interface Change {
  readonly event: EventMessage
  readonly reason: string
}

/** Of a tenant's settings only these are part of its listings. */
const PAYMENT_SETTINGS: ReadonlySet<string> = new Set(['payment_methods', 'payment_enabled'])

async function indexTenant(
  projector: Projector,
  tx: Tx,
  { tenantId, event }: { readonly tenantId: TenantId; readonly event: EventMessage },
): Promise<void> {
  for (const { property_id } of await tx.query(selectPropertiesOf(idToUuid(tenantId)))) {
    const property = { tenantId, propertyId: uuidToId('ppt', property_id) }
    await indexListing(projector, tx, { property, event, reason: 'tenant_updated' })
  }
}

interface TenantChange {
  readonly tenantId: TenantId
  readonly isSuspended: boolean
  readonly since: string
  readonly event: EventMessage
}

/** Hides the hotels of a suspended tenant immediately, until it is reactivated. */
async function changeTenant(projector: Projector, tx: Tx, change: TenantChange): Promise<void> {
  const { tenantId, isSuspended, since, event } = change
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
  await publishListings(tx, listings, { projector, event, reason })
}
