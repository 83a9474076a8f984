import { addDays, daysBetween, type IsoDate, type RoomTypeId } from '@melmastoon/domain'
import { channelSales } from '../../src/world/channel-sales.ts'
import type { World, WorldProperty } from '../../src/world/world.ts'

const NIGHTS = 458

export interface CountedRooms {
  readonly roomsTotal: number
  /** From the night before the anchor date on. */
  readonly roomsLeft: readonly number[]
  readonly roomTypes: readonly {
    readonly roomTypeId: RoomTypeId
    readonly roomsTotal: number
    readonly roomsLeft: readonly number[]
  }[]
}

type RoomsLeft = (property: WorldProperty) => CountedRooms

const counted = new WeakMap<World, RoomsLeft>()

/** Counted night by night from all sales, without optimisation, once per world. */
export function roomsLeftIn(world: World): RoomsLeft {
  const known = counted.get(world) ?? countRooms(world)
  counted.set(world, known)
  return known
}

function countRooms(world: World): RoomsLeft {
  const taken = countTaken(world)
  const left = world.properties.map(({ roomTypes }) => {
    const types = roomTypes.map(({ roomTypeId, rooms }) => ({
      roomTypeId,
      roomsTotal: rooms.length,
      roomsLeft: Array.from(taken(roomTypeId), (sold) => rooms.length - sold),
    }))
    return {
      roomsTotal: types.reduce((sum, { roomsTotal }) => sum + roomsTotal, 0),
      roomsLeft: Array.from({ length: NIGHTS }, (_, night) =>
        types.reduce((sum, { roomsLeft }) => sum + (roomsLeft[night] ?? 0), 0),
      ),
      roomTypes: types,
    }
  })
  const byId = new Map(world.properties.map(({ propertyId }, at) => [propertyId, left[at]]))
  return ({ propertyId }) => {
    const rooms = byId.get(propertyId)
    if (rooms === undefined) throw new TypeError('no such property')
    return rooms
  }
}

/** Rooms of a type taken per night, from the night before the anchor date on. */
function countTaken(world: World): (roomTypeId: RoomTypeId) => Int16Array {
  // One array per room type: a map has at most 16.7 million entries, the nights of 18,000 hotels.
  const byType = new Map<RoomTypeId, Int16Array>()
  const takenOf = (roomTypeId: RoomTypeId) => {
    const known = byType.get(roomTypeId) ?? new Int16Array(NIGHTS)
    byType.set(roomTypeId, known)
    return known
  }
  const take = (nights: Int16Array, night: number, rooms: number) => {
    if (night in nights) nights[night] = (nights[night] ?? 0) + rooms
  }
  const first = addDays(world.anchorDate, -1)
  for (const { roomTypeId, checkIn, checkOut, rooms, status } of world.stays) {
    if (status === 'cancelled') continue
    for (let night: IsoDate = checkIn; night < checkOut; night = addDays(night, 1)) {
      take(takenOf(roomTypeId), daysBetween(first, night), rooms)
    }
  }
  for (const { roomType, sold } of channelSales(world)) {
    const nights = takenOf(roomType.roomTypeId)
    for (const [night, rooms] of (sold ?? []).entries()) take(nights, night, rooms)
  }
  return takenOf
}
