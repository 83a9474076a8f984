import { addDays, type IsoDate, type RoomTypeId } from '@melmastoon/domain'
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
  const taken = new Map<string, number>()
  for (const { roomTypeId, checkIn, checkOut, rooms, status } of world.stays) {
    if (status === 'cancelled') continue
    for (let night: IsoDate = checkIn; night < checkOut; night = addDays(night, 1)) {
      const key = `${roomTypeId} ${night}`
      taken.set(key, (taken.get(key) ?? 0) + rooms)
    }
  }
  for (const { roomType, sold } of channelSales(world)) {
    for (const [night, rooms] of (sold ?? []).entries()) {
      const key = `${roomType.roomTypeId} ${addDays(world.anchorDate, night - 1)}`
      taken.set(key, (taken.get(key) ?? 0) + rooms)
    }
  }
  const nights = Array.from({ length: NIGHTS }, (_, night) => addDays(world.anchorDate, night - 1))
  const left = world.properties.map(({ roomTypes }) => {
    const types = roomTypes.map(({ roomTypeId, rooms }) => ({
      roomTypeId,
      roomsTotal: rooms.length,
      roomsLeft: nights.map((night) => rooms.length - (taken.get(`${roomTypeId} ${night}`) ?? 0)),
    }))
    return {
      roomsTotal: types.reduce((sum, { roomsTotal }) => sum + roomsTotal, 0),
      roomsLeft: nights.map((_, night) =>
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
