import type { Queryable } from '@melmastoon/chassis/db'
import {
  idToUuid,
  type PropertyId,
  problem,
  type RoomId,
  type RoomTypeId,
  type TenantId,
  uuidToId,
} from '@melmastoon/domain'
import { selectHotel, selectRoom } from './property-sql.ts'

export interface PlacedRoom {
  readonly roomId: RoomId
  readonly propertyId: PropertyId
  readonly roomTypeId: RoomTypeId
  readonly number: string
  readonly floor: number
}

export async function readHotel(
  db: Queryable,
  { tenantId, propertyId }: { tenantId: TenantId; propertyId: PropertyId },
): Promise<{ timeZone: string }> {
  const [row] = await db.query(selectHotel(idToUuid(tenantId), idToUuid(propertyId)))
  if (row === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  return { timeZone: row.time_zone }
}

export async function findRoom(
  db: Queryable,
  { tenantId, roomId }: { tenantId: TenantId; roomId: RoomId },
): Promise<PlacedRoom | null> {
  const [row] = await db.query(selectRoom(idToUuid(tenantId), idToUuid(roomId)))
  if (row === undefined) return null
  const { property_id, room_type_id, number, floor } = row
  const propertyId = uuidToId('ppt', property_id)
  return { roomId, propertyId, roomTypeId: uuidToId('rmt', room_type_id), number, floor }
}
