import type { Queryable } from '@melmastoon/chassis/db'
import {
  type IsoDate,
  idToUuid,
  type RoomId,
  type StayDates,
  type TenantId,
  uuidToId,
} from '@melmastoon/domain'
import { selectRoomStaysOn } from './room-stay-sql.ts'

export interface RoomStay extends StayDates {
  readonly roomId: RoomId
}

interface RoomStaysQuery {
  readonly tenantId: TenantId
  readonly roomIds: readonly RoomId[]
  readonly day: IsoDate
}

export async function readRoomStaysOn(
  db: Queryable,
  { tenantId, roomIds, day }: RoomStaysQuery,
): Promise<readonly RoomStay[]> {
  const rooms = roomIds.map(idToUuid)
  const rows = await db.query(selectRoomStaysOn(idToUuid(tenantId), rooms, day))
  return rows.map((row) => ({
    roomId: uuidToId('rmu', row.room_id),
    checkIn: row.check_in,
    checkOut: row.check_out,
  }))
}
