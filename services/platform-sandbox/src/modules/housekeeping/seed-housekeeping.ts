import type { Database } from '@melmastoon/chassis/db'
import { type IsoDate, idToUuid, type RoomId } from '@melmastoon/domain'
import type { World, WorldProperty, WorldStay } from '../../world/world.ts'
import { worldId } from '../../world/world-id.ts'
import { selectBlockedRooms } from '../maintenance/module.ts'
import { type PlannedRoom, planRoom } from './plan-room.ts'
import { closeSeededTasks, type SeededRoom, seedRooms, seedTasks } from './seed-sql.ts'

const ROWS_MAX = 1_000

/**
 * After `seedMaintenance`: the rooms of the detailed hotels and the tasks of the day, consistent
 * with the stays. On a later day rooms whose guests were checked in by staff stay unchanged.
 * Idempotent.
 */
export async function seedHousekeeping(db: Database, world: World): Promise<void> {
  const { anchorDate } = world
  const rich = new Set(world.tenants.filter(({ isRich }) => isRich).map(({ tenantId }) => tenantId))
  const hotels = world.properties.filter(({ tenantId }) => rich.has(tenantId))
  const stays = staysOfRooms(world.stays, anchorDate)
  const blocked = await readBlockedRooms(db, hotels)
  const rows = hotels.flatMap((hotel) => planHotel(world, hotel, { stays, blocked }))
  await db.query(closeSeededTasks(anchorDate))
  for (let from = 0; from < rows.length; from += ROWS_MAX) {
    const some = rows.slice(from, from + ROWS_MAX)
    await db.query(seedRooms(some, anchorDate))
    await db.query(seedTasks(some, anchorDate))
  }
}

function staysOfRooms(
  stays: readonly WorldStay[],
  today: IsoDate,
): ReadonlyMap<RoomId | null, readonly WorldStay[]> {
  const current = stays.filter(({ status, checkIn }) => {
    return status === 'in_house' || (status === 'confirmed' && checkIn === today)
  })
  return Map.groupBy(current, ({ roomId }) => roomId)
}

async function readBlockedRooms(
  db: Database,
  hotels: readonly WorldProperty[],
): Promise<ReadonlySet<string>> {
  const rooms = hotels.flatMap(roomsOf).map(({ roomId }) => idToUuid(roomId))
  return new Set((await db.query(selectBlockedRooms(rooms))).map((row) => row.room_id))
}

function roomsOf({ roomTypes }: WorldProperty) {
  return roomTypes.flatMap(({ rooms }) => rooms)
}

interface Morning {
  readonly stays: ReadonlyMap<RoomId | null, readonly WorldStay[]>
  readonly blocked: ReadonlySet<string>
}

function planHotel(
  world: World,
  property: WorldProperty,
  { stays, blocked }: Morning,
): SeededRoom[] {
  const { seed, anchorDate: today } = world
  return roomsOf(property).map(({ roomId, number }) => {
    const isBlocked = blocked.has(idToUuid(roomId))
    const ofRoom = stays.get(roomId) ?? []
    const planned = planRoom({ seed, today, roomId, stays: ofRoom, isBlocked })
    const taskId = worldId('hkt', seed, `${roomId}:${today}`)
    return { ...toSeeded(property, planned), ...idsOf({ roomId, taskId }), room_number: number }
  })
}

function idsOf({ roomId, taskId }: { roomId: RoomId; taskId: Parameters<typeof idToUuid>[0] }) {
  return { room_id: idToUuid(roomId), task_id: idToUuid(taskId) }
}

function toSeeded({ tenantId, propertyId }: WorldProperty, planned: PlannedRoom) {
  const { condition, guests, flags, task } = planned
  return {
    tenant_id: idToUuid(tenantId),
    property_id: idToUuid(propertyId),
    condition,
    flags,
    occupied_by: guests === undefined ? null : idToUuid(guests.reservationId),
    occupied_on: guests?.checkIn ?? null,
    kind: task?.kind ?? null,
    priority: task?.priority ?? null,
    status: task?.status ?? null,
  }
}
