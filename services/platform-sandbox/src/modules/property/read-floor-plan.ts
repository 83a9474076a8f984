import type { Queryable } from '@melmastoon/chassis/db'
import {
  type IsoDate,
  idToUuid,
  type PropertyId,
  problem,
  type RoomId,
  type RoomTypeId,
  type TenantId,
  uuidToId,
} from '@melmastoon/domain'
import { type RoomRow, selectFloorPlan } from './property-sql.ts'

/** What the staff side needs of a house: its rooms, and the date there. */
export interface FloorPlan {
  readonly timeZone: string
  /** The current date at the hotel, by the database clock. */
  readonly today: IsoDate
  readonly rooms: readonly HotelRoom[]
}

export interface HotelRoom {
  readonly roomId: RoomId
  readonly roomTypeId: RoomTypeId
  readonly number: string
  readonly floor: number
  readonly status: RoomRow['status']
}

const ROOMS_MAX = 1_000

/** @throws PROPERTY.NOT_FOUND, also for a house of another tenant. */
export async function readFloorPlan(
  db: Queryable,
  { tenantId, propertyId }: { readonly tenantId: TenantId; readonly propertyId: PropertyId },
): Promise<FloorPlan> {
  const requested = selectFloorPlan(idToUuid(tenantId), idToUuid(propertyId), ROOMS_MAX)
  const [row] = await db.query(requested)
  if (row === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  return { timeZone: row.time_zone, today: row.today, rooms: row.rooms.map(toRoom) }
}

function toRoom({ room_id, room_type_id, number, floor, status }: RoomRow): HotelRoom {
  const ids = { roomId: uuidToId('rmu', room_id), roomTypeId: uuidToId('rmt', room_type_id) }
  return { ...ids, number, floor, status }
}
