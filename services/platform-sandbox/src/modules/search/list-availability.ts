import type { IsoDate, PropertyId } from '@melmastoon/domain'
import { NIGHTS_WIDTH } from './index/columns.ts'
import { fromEpochDay } from './index/epoch-day.ts'
import type { ListingIndex } from './index/listing-index.ts'
import { requireRow } from './read-hotel.ts'
import { CALENDAR_NIGHTS_MAX, readNights } from './stay.ts'

const LIMITS = {
  nightsMax: CALENDAR_NIGHTS_MAX,
  pointers: { from: '/query/from', to: '/query/to' },
}

export function listAvailability(
  index: ListingIndex,
  { propertyId, from, to }: { propertyId: PropertyId; from: IsoDate; to: IsoDate },
  now: Date,
) {
  const row = requireRow(index, propertyId)
  const { firstDay, endDay } = readNights({ checkIn: from, checkOut: to }, now, LIMITS)
  const { roomsLeft, roomsTotal } = index.columns
  const start = row * NIGHTS_WIDTH - index.firstDay
  const nights = Array.from({ length: endDay - firstDay }, (_, night) => ({
    night: fromEpochDay(firstDay + night),
    roomsLeft: Math.max(0, roomsLeft[start + firstDay + night] ?? 0),
    roomsTotal: roomsTotal[row] ?? 0,
  }))
  return { propertyId, nights }
}
