import { findCity } from './cities.ts'
import type { City } from './city.ts'
import { type DayNumber, toDayNumber } from './day-number.ts'
import { occupancyOn } from './occupancy.ts'
import { SeededRandom } from './seeded-random.ts'
import type { World, WorldProperty, WorldRoomType, WorldStay } from './world.ts'

/** From the day before today, which is still today in some time zone. */
export const CHANNEL_NIGHTS = 365
/** Until then all rooms that will be sold are sold already; of later nights only a part. */
const FULLY_BOOKED_DAYS = 60
const BOOKED_AT_END = 0.25
/** Consecutive nights of a type that round to the same side: guests stay several nights. */
const NIGHTS_TOGETHER = 3
const HOUSE_SPREAD = 0.3
const WEEK_SPREAD = 0.24
const WEEK = 7

export interface ChannelSales {
  readonly property: WorldProperty
  readonly roomType: WorldRoomType
  /**
   * Rooms per night from the day before the anchor date of the world; null for a detailed hotel,
   * which has a stay for every sold room instead.
   */
  readonly sold: readonly number[] | null
}

/**
 * What the generated hotels have sold by telephone and through agencies: as many rooms as their
 * town, season, weekday and popularity suggest, less those sold on the platform. Not part of the
 * digest of the world, because the rest of it determines them.
 */
export function* channelSales(world: World): Generator<ChannelSales> {
  const { tenants, properties, stays, seed, anchorDate } = world
  const rich = new Set(tenants.filter(({ isRich }) => isRich).map(({ tenantId }) => tenantId))
  const own = Map.groupBy(stays.filter(isSold), ({ roomTypeId }) => roomTypeId)
  const first = toDayNumber(anchorDate) - 1
  for (const property of properties) {
    const isRich = rich.has(property.tenantId)
    const shared = { seed, first, city: findCity(property.city), property }
    for (const roomType of property.roomTypes) {
      const ownSold = soldPerNight(own.get(roomType.roomTypeId) ?? [], first)
      const sold = isRich ? null : planSales({ ...shared, roomType, ownSold })
      yield { property, roomType, sold }
    }
  }
}

function isSold({ status }: WorldStay): boolean {
  return status !== 'cancelled'
}

function soldPerNight(stays: readonly WorldStay[], first: DayNumber): Uint8Array {
  const sold = new Uint8Array(CHANNEL_NIGHTS)
  for (const { checkIn, checkOut, rooms } of stays) {
    const end = Math.min(CHANNEL_NIGHTS, toDayNumber(checkOut) - first)
    for (let night = Math.max(0, toDayNumber(checkIn) - first); night < end; night += 1) {
      sold[night] = (sold[night] ?? 0) + rooms
    }
  }
  return sold
}

interface SalesPlan {
  readonly seed: string
  readonly first: DayNumber
  readonly city: City
  readonly property: WorldProperty
  readonly roomType: WorldRoomType
  /** The rooms of this type sold on the platform, per night. */
  readonly ownSold: Uint8Array
}

/** Nights keep their draws as the days pass: more rooms are sold, and none is returned. */
function planSales({ seed, first, city, property, roomType, ownSold }: SalesPlan): number[] {
  const random = SeededRandom.of(`${seed}:channels:${roomType.roomTypeId}`)
  const bias = (property.popularity.score - 0.4) * HOUSE_SPREAD
  const capacity = roomType.rooms.length
  let [week, ofWeek] = [Number.NaN, 0]
  let [group, rounding] = [Number.NaN, 0]
  return Array.from({ length: CHANNEL_NIGHTS }, (_, night) => {
    const day = first + night
    if (Math.floor(day / WEEK) !== week) {
      week = Math.floor(day / WEEK)
      ofWeek = (random.fork(week * 2).next() - 0.5) * WEEK_SPREAD
    }
    if (Math.floor(day / NIGHTS_TOGETHER) !== group) {
      group = Math.floor(day / NIGHTS_TOGETHER)
      rounding = random.fork(group * 2 + 1).next()
    }
    const share = Math.min(1, occupancyOn(city, day) + bias + ofWeek) * bookedShare(night)
    const rooms = Math.floor(Math.max(0, share) * capacity + rounding)
    return Math.max(0, Math.min(rooms, capacity) - (ownSold[night] ?? 0))
  })
}

/** Few rooms are sold a year ahead. */
function bookedShare(nightsAhead: number): number {
  if (nightsAhead <= FULLY_BOOKED_DAYS) return 1
  const late = (nightsAhead - FULLY_BOOKED_DAYS) / (CHANNEL_NIGHTS - FULLY_BOOKED_DAYS)
  return 1 - late * (1 - BOOKED_AT_END)
}
