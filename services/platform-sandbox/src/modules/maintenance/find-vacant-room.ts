import type { World, WorldProperty } from '../../world/world.ts'

type Room = WorldProperty['roomTypes'][number]['rooms'][number]

/** The last room of a detailed hotel that has no guests and expects none today. */
export function findVacantRoom(world: World, property: WorldProperty): Room | undefined {
  const taken = new Set(
    world.stays
      .filter(({ propertyId, status, checkIn }) => {
        const isToday = status === 'in_house' || checkIn === world.anchorDate
        return propertyId === property.propertyId && isToday
      })
      .map(({ roomId }) => roomId),
  )
  return property.roomTypes
    .flatMap((roomType) => roomType.rooms)
    .findLast(({ roomId }) => !taken.has(roomId))
}
