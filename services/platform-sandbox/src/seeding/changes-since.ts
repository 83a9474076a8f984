import type { IsoDate, ReservationId } from '@melmastoon/domain'
import { staysOn } from '../world/generate-world.ts'
import type { World, WorldStay } from '../world/world.ts'

/**
 * The difference between today's world and that of an earlier day: no tenants and no houses, but
 * new stays and stays whose status has changed since.
 */
export function changesSince(earlierDate: IsoDate, world: World): World {
  const earlier = staysOn(earlierDate, world)
  const known = new Map(earlier.map((stay) => [stay.reservationId, stay]))
  const stays = staysOn(world.anchorDate, world, earlierDate).filter((stay) =>
    isChange(stay, known),
  )
  return { ...world, tenants: [], properties: [], stays }
}

function isChange(
  { reservationId, status, roomId }: WorldStay,
  known: ReadonlyMap<ReservationId, WorldStay>,
): boolean {
  const before = known.get(reservationId)
  return before === undefined || before.status !== status || before.roomId !== roomId
}
