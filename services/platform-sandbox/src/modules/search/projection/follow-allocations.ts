import type { Tx } from '@melmastoon/chassis/db'
import type { EventHandler } from '@melmastoon/chassis/inbox'
import { idToUuid, type StayDates } from '@melmastoon/domain'
import { fromEpochDay, toEpochDay } from '../index/epoch-day.ts'
import type { PropertyRef, SearchSources } from '../search-sources.ts'
import { countPopularity } from '../sql/count-popularity.ts'
import { findAvailability } from '../sql/find-availability.ts'
import { lockProperty } from '../sql/lock-property.ts'
import { upsertAvailability } from '../sql/upsert-availability.ts'
import { patchNights } from './patch-nights.ts'
import { follow, type Projector } from './projector.ts'

type Allocation = PropertyRef & StayDates

/** Rooms were promised, sold or given back: the nights in question are read anew. */
export function followAllocations(projector: Projector, isSale = false): EventHandler {
  return follow(projector, async (tx, event) => {
    const allocation = event.payload as Allocation
    const propertyUuid = idToUuid(allocation.propertyId)
    await tx.query(lockProperty(propertyUuid))
    if (isSale) await tx.query(countPopularity(propertyUuid, ['booked_24h']))
    await rereadNights(projector.sources, tx, allocation)
  })
}

async function rereadNights(sources: SearchSources, tx: Tx, stay: Allocation): Promise<void> {
  const propertyUuid = idToUuid(stay.propertyId)
  const [known] = await tx.query(findAvailability(propertyUuid))
  if (known === undefined) throw new TypeError('a left join without rows')
  const yesterday = toEpochDay(known.yesterday)
  const fromDay = Math.max(yesterday, toEpochDay(stay.checkIn))
  if (fromDay >= toEpochDay(stay.checkOut)) return
  const { roomsLeft, roomsTotal } = await sources.readAvailability(
    stay,
    fromEpochDay(fromDay),
    stay.checkOut,
  )
  const firstDay = known.first_night === null ? yesterday : toEpochDay(known.first_night)
  const before = {
    firstDay,
    roomsLeft: known.rooms_left ?? [],
    roomsTotal: known.rooms_total ?? roomsTotal,
  }
  const patched = patchNights(before, { firstDay: fromDay, roomsLeft }, yesterday)
  await tx.query(
    upsertAvailability({
      propertyUuid,
      firstNight: fromEpochDay(patched.firstDay),
      roomsLeft: patched.roomsLeft,
      roomsTotal: Math.max(roomsTotal, before.roomsTotal),
    }),
  )
}
