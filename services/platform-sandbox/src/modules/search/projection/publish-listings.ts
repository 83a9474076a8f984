import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { PropertyId, TenantId } from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import { listingIndexed } from '@melmastoon/platform-events'
import { causeOfEvent } from '../../../event-causes.ts'
import type { Projector } from './projector.ts'

export interface IndexedListing {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly version: number
  readonly indexedAt: Date
}

/** Notifies consumers with cached results, in the transaction of the change. */
export async function publishListings(
  tx: Tx,
  listings: readonly IndexedListing[],
  { projector, event, reason }: { projector: Projector; event: EventMessage; reason: string },
): Promise<void> {
  const cause = causeOfEvent(event, projector.host.config.instance)
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
