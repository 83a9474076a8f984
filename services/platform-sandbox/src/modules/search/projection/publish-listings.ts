import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { PropertyId, TenantId } from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import { listingIndexed } from '@melmastoon/platform-events'
import { causedBy, type Projector } from './projector.ts'

export interface IndexedListing {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly version: number
  readonly indexedAt: Date
}

/** Whoever keeps copies of results hears of it, in the transaction that changed them. */
export async function publishListings(
  tx: Tx,
  listings: readonly IndexedListing[],
  { projector, event, reason }: { projector: Projector; event: EventMessage; reason: string },
): Promise<void> {
  const cause = causedBy(event, projector)
  const events = listings.map(({ tenantId, propertyId, version, indexedAt }) =>
    projector.host.registry.build(
      listingIndexed.subject,
      {
        tenantId,
        propertyId,
        listingVersion: version,
        reason,
        indexedAt: indexedAt.toISOString(),
      },
      cause,
    ),
  )
  await appendEvents(tx, events)
}
