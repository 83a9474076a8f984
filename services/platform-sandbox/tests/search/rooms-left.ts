import { addDays, type IsoDate } from '@melmastoon/domain'
import type { World, WorldProperty } from '../../src/world/world.ts'

const NIGHTS = 458

type RoomsLeft = (property: WorldProperty) => number[]

const counted = new WeakMap<World, RoomsLeft>()

/** Counted night by night from the stays, without optimisation, once per world. */
export function roomsLeftIn(world: World): RoomsLeft {
  const known = counted.get(world) ?? countRooms(world)
  counted.set(world, known)
  return known
}

function countRooms(world: World): RoomsLeft {
  const taken = new Map<string, number>()
  for (const { propertyId, checkIn, checkOut, rooms, status } of world.stays) {
    if (status === 'cancelled') continue
    for (let night: IsoDate = checkIn; night < checkOut; night = addDays(night, 1)) {
      const key = `${propertyId} ${night}`
      taken.set(key, (taken.get(key) ?? 0) + rooms)
    }
  }
  const nights = Array.from({ length: NIGHTS }, (_, night) => addDays(world.anchorDate, night - 1))
  const left = world.properties.map(({ propertyId, roomTypes }) => {
    const total = roomTypes.reduce((sum, { rooms }) => sum + rooms.length, 0)
    return nights.map((night) => total - (taken.get(`${propertyId} ${night}`) ?? 0))
  })
  const byId = new Map(world.properties.map(({ propertyId }, at) => [propertyId, left[at] ?? []]))
  return ({ propertyId }) => byId.get(propertyId) ?? []
}
