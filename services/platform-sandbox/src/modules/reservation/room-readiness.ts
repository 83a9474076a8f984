import type { Queryable } from '@melmastoon/chassis/db'
import { type Id, idToUuid, type RoomId, type TenantId, uuidToId } from '@melmastoon/domain'
import { assignedRooms } from '../inventory/module.ts'
import type { FloorPlan } from '../property/module.ts'
import type { Siblings } from './reservation-host.ts'
import { allocationOf, type StayRow } from './stay.ts'
import { selectPresent } from './stay-sql.ts'

export interface RoomsOfStay {
  readonly tenantId: TenantId
  readonly row: StayRow
  readonly plan: FloorPlan
  readonly rooms: readonly RoomId[]
}

/**
 * The rooms that guests cannot move into now: other guests have not left yet, which inventory does
 * not know because their nights do not overlap; or not clean, out of order or out of service.
 */
export async function roomsNotReady(
  { housekeeping }: Pick<Siblings, 'housekeeping'>,
  db: Queryable,
  { tenantId, row, plan, rooms }: RoomsOfStay,
): Promise<ReadonlySet<RoomId>> {
  const occupied = await occupiedByOthers(db, tenantId, row)
  const closed = plan.rooms.filter(({ status }) => status !== 'active')
  const unclean = await housekeeping.roomsNotReady(db, tenantId, rooms)
  const blocked = new Set([...occupied, ...closed.map(({ roomId }) => roomId), ...unclean])
  return new Set(rooms.filter((roomId) => blocked.has(roomId)))
}

async function occupiedByOthers(
  db: Queryable,
  tenantId: TenantId,
  row: StayRow,
): Promise<RoomId[]> {
  const present = await db.query(selectPresent(idToUuid(tenantId), row.property_id))
  const others: Id<'inv'>[] = present
    .map(({ allocation_id }) => uuidToId('inv', allocation_id))
    .filter((allocationId) => allocationId !== allocationOf(row))
  const rooms = await assignedRooms(db, tenantId, others)
  return [...rooms.values()].flat().map(({ roomId }) => roomId)
}
