import type { Tx } from '@melmastoon/chassis/db'
import { idToUuid, type StayDates } from '@melmastoon/domain'
import { findAvailability, upsertAvailability } from '../availability-sql.ts'
import { lockProperty } from '../change-sql.ts'
import { fromEpochDay, toEpochDay } from '../index/epoch-day.ts'
import type { PropertyRef, SearchSources } from '../search-sources.ts'
import { patchNights } from './patch-nights.ts'

/** Under the lock of the hotel, so that a later read is also written later. */
export async function refreshNights(
  sources: SearchSources,
  tx: Tx,
  stay: PropertyRef & StayDates,
): Promise<void> {
  const propertyUuid = idToUuid(stay.propertyId)
  await tx.query(lockProperty(propertyUuid))
  const [known] = await tx.query(findAvailability(propertyUuid))
  if (known === undefined) throw new TypeError('a left join without rows')
  const yesterday = toEpochDay(known.yesterday)
  const fromDay = Math.max(yesterday, toEpochDay(stay.checkIn))
  const endDay = Math.min(yesterday + KNOWN_NIGHTS_MAX, toEpochDay(stay.checkOut))
  if (fromDay >= endDay) return
  const read = await sources.readAvailability(stay, fromEpochDay(fromDay), fromEpochDay(endDay))
  const firstDay = known.first_night === null ? yesterday : toEpochDay(known.first_night)
  const roomsTotal = known.rooms_total ?? read.roomsTotal
  const before = { firstDay, roomsLeft: known.rooms_left ?? [], roomsTotal }
  const patched = patchNights(before, { firstDay: fromDay, roomsLeft: read.roomsLeft }, yesterday)
  await tx.query(
    upsertAvailability({
      propertyUuid,
      firstNight: fromEpochDay(patched.firstDay),
      roomsLeft: patched.roomsLeft,
      roomsTotal,
    }),
  )
}

/** The limit of the check on `search_availability.rooms_left`: later nights count as available. */
export const KNOWN_NIGHTS_MAX = 1_000
