import type { Tx } from '@melmastoon/chassis/db'
import { idToUuid, type StayDates, uuidToId } from '@melmastoon/domain'
import {
  findAvailability,
  type KnownAvailability,
  unflatten,
  upsertAvailability,
} from '../availability-sql.ts'
import { lockProperty } from '../change-sql.ts'
import { fromEpochDay, toEpochDay } from '../index/epoch-day.ts'
import type { RoomTypeNights } from '../index/room-nights.ts'
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
  const patch = (before: Counted, fresh: Counted) => {
    const nights = { firstDay: fromDay, roomsLeft: fresh.roomsLeft }
    return patchNights({ ...before, firstDay }, nights, yesterday)
  }
  const before = {
    roomsTotal: known.rooms_total ?? read.roomsTotal,
    roomsLeft: known.rooms_left ?? [],
  }
  const patched = patch(before, read)
  const knownTypes = roomTypesOf(known)
  const roomTypes = read.roomTypes.map((fresh) => {
    const { roomTypeId, roomsTotal } = fresh
    const type = knownTypes.get(roomTypeId) ?? { roomTypeId, roomsTotal, roomsLeft: [] }
    return { ...type, roomsLeft: patch(type, fresh).roomsLeft }
  })
  await tx.query(
    upsertAvailability({
      propertyUuid,
      firstNight: fromEpochDay(patched.firstDay),
      roomsLeft: patched.roomsLeft,
      roomsTotal: before.roomsTotal,
      roomTypes,
    }),
  )
}

interface Counted {
  readonly roomsTotal: number
  readonly roomsLeft: readonly number[]
}

function roomTypesOf(known: KnownAvailability): Map<RoomTypeNights['roomTypeId'], RoomTypeNights> {
  const stored = unflatten({
    roomTypeIds: (known.room_types ?? []).map((uuid) => uuidToId('rmt', uuid)),
    totals: known.room_type_totals ?? [],
    roomsLeft: known.room_type_rooms_left ?? [],
  })
  return new Map(stored.map((type) => [type.roomTypeId, type]))
}

/** The limit of the check on `search_availability.rooms_left`: later nights count as available. */
export const KNOWN_NIGHTS_MAX = 1_000
