import type { Database } from '@melmastoon/chassis/db'
import { idToUuid, type PropertyId, problem, type TenantId, uuidToId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { PropertyOperations } from './house.ts'
import { selectRooms } from './property-sql.ts'

const ROOMS_MAX = 1_000

export async function listRooms(
  db: Database,
  { tenantId, propertyId }: { tenantId: TenantId; propertyId: PropertyId },
): Promise<OutputOf<PropertyOperations['listRooms']>> {
  const requested = selectRooms(idToUuid(tenantId), idToUuid(propertyId), ROOMS_MAX)
  const [row] = await db.query(requested)
  if (row === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  return {
    rooms: row.rooms.map(({ room_id, room_type_id, number, floor, status }) => ({
      roomId: uuidToId('rmu', room_id),
      roomTypeId: uuidToId('rmt', room_type_id),
      number,
      floor,
      status,
    })),
  }
}
