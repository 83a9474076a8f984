import { systemClock } from '@melmastoon/chassis/clock'
import type { Queryable } from '@melmastoon/chassis/db'
import {
  idToUuid,
  type PropertyId,
  problem,
  type RoomId,
  type TenantId,
  todayIn,
} from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { RoomDetail } from '@melmastoon/upstream-contracts/housekeeping'
import { toHistory } from '../../staff/staff-change.ts'
import type { RoomStay } from '../inventory/module.ts'
import type { PlacedRoom } from '../property/module.ts'
import type { HousekeepingHost } from './housekeeping-host.ts'
import { type RoomDetailRow, toRoom, untouchedRoom } from './room.ts'
import { selectNotReady, selectRoomState, selectRoomsOf } from './room-sql.ts'
import type { HousekeepingOperations } from './task.ts'

export async function listRooms(
  host: HousekeepingHost,
  ref: { readonly tenantId: TenantId; readonly propertyId: PropertyId },
): Promise<OutputOf<HousekeepingOperations['listRooms']>> {
  const { tenantId, propertyId } = ref
  const [{ timeZone }, { rooms }, states] = await Promise.all([
    host.property.readHotel(ref),
    host.property.listRooms(ref),
    host.db.tenantQuery(tenantId, selectRoomsOf(idToUuid(tenantId), idToUuid(propertyId))),
  ])
  const now = systemClock.now()
  const today = todayIn(timeZone, now)
  const roomIds = rooms.map(({ roomId }) => roomId)
  const stays = groupByRoom(await host.inventory.roomStaysOn(tenantId, roomIds, today))
  const stateOf = new Map(states.map((state) => [state.room_id, state]))
  return {
    businessDate: today,
    rooms: rooms.map((room) => {
      const state = stateOf.get(idToUuid(room.roomId)) ?? untouchedRoom(now)
      return toRoom({ ...room, propertyId }, state, { stays: stays.get(room.roomId) ?? [], today })
    }),
  }
}

export async function readRoom(
  host: HousekeepingHost,
  ref: { readonly tenantId: TenantId; readonly roomId: RoomId },
  /** The transaction of a change, so that the response includes it. */
  db: Queryable = host.db.scoped(ref.tenantId),
): Promise<RoomDetail> {
  const { tenantId, roomId } = ref
  const room = await findPlacedRoom(host, ref)
  const { timeZone } = await host.property.readHotel({ tenantId, propertyId: room.propertyId })
  const now = systemClock.now()
  const today = todayIn(timeZone, now)
  const stays = await host.inventory.roomStaysOn(tenantId, [roomId], today)
  const key = { tenant: idToUuid(tenantId), room: idToUuid(roomId) }
  const [state] = await db.query(selectRoomState(key))
  return {
    ...toRoom(room, state ?? untouchedRoom(now), { stays, today }),
    history: historyOf(state),
  }
}

export async function findPlacedRoom(
  { property }: Pick<HousekeepingHost, 'property'>,
  ref: { readonly tenantId: TenantId; readonly roomId: RoomId },
): Promise<PlacedRoom> {
  const room = await property.findRoom(ref)
  if (room === null) throw problem('MELMASTOON.HOUSEKEEPING.ROOM_NOT_FOUND')
  return room
}

/** Of these rooms those that no guest can move into now. */
export async function roomsNotReady(
  db: Queryable,
  tenantId: TenantId,
  roomIds: readonly RoomId[],
): Promise<readonly RoomId[]> {
  const rows = await db.query(selectNotReady(idToUuid(tenantId), roomIds.map(idToUuid)))
  const found = new Set(rows.map((row) => row.room_id))
  return roomIds.filter((roomId) => found.has(idToUuid(roomId)))
}

function historyOf(state: RoomDetailRow | undefined): RoomDetail['history'] {
  return state === undefined ? [] : state.history.map(toHistory)
}

function groupByRoom(stays: readonly RoomStay[]): ReadonlyMap<RoomId, readonly RoomStay[]> {
  return Map.groupBy(stays, ({ roomId }) => roomId)
}
