import type { EventHandler } from '@melmastoon/chassis/inbox'
import { type IsoDate, idToUuid, type StayDates } from '@melmastoon/domain'
import type { PropertyRef } from '../search-sources.ts'
import { countPopularity } from '../sql/count-popularity.ts'
import { follow, type Projector } from './projector.ts'
import { rereadNights } from './reread-nights.ts'

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
