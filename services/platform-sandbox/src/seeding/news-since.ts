import type { IsoDate, ReservationId } from '@melmastoon/domain'
import { staysOn } from '../world/generate-world.ts'
import type { World, WorldStay } from '../world/world.ts'

/**
 * What the world of today has and the world of an earlier day had not: no tenants and no houses,
 * but new stays, and known ones whose guests have come, gone or stayed away since, however long
 * ago that was.
 */
export function newsSince(earlierDate: IsoDate, world: World): World {
  const earlier = staysOn(earlierDate, world)
  const known = new Map(earlier.map((stay) => [stay.reservationId, stay]))
  const stays = staysOn(world.anchorDate, world, earlierDate).filter((stay) => isNews(stay, known))
  return { ...world, tenants: [], properties: [], stays }
}

function isNews(
  { reservationId, status, roomId }: WorldStay,
  known: ReadonlyMap<ReservationId, WorldStay>,
): boolean {
  const before = known.get(reservationId)
  return before === undefined || before.status !== status || before.roomId !== roomId
}
