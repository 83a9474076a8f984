import type { EventContext, OutboxEvent } from '@melmastoon/events'
import {
  allocationCommitted,
  allocationReleased,
  allocationRequested,
  platformRegistry,
} from '@melmastoon/platform-events'
import type { Allocation } from '@melmastoon/upstream-contracts/inventory'

const SUBJECTS = {
  requested: allocationRequested.subject,
  committed: allocationCommitted.subject,
  released: allocationReleased.subject,
}

/** One event per room type, because consumers count rooms by type. */
export function allocationEvents(
  kind: keyof typeof SUBJECTS,
  { tenantId, propertyId, allocationId, reservationId, stay, items }: Allocation,
  cause: EventContext,
): OutboxEvent[] {
  return items.map(({ roomTypeId, rooms }) =>
    platformRegistry.build(
      SUBJECTS[kind],
      {
        tenantId,
        propertyId,
        roomTypeId,
        allocationId,
        reservationId: reservationId ?? null,
        ...stay,
        rooms,
      },
      cause,
    ),
  )
}
