import type { Tx } from '@melmastoon/chassis/db'
import { type Id, idToUuid, problem, type RoomId, type TenantId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { InventoryOperations } from './allocation.ts'
import { insertRoomStay, lockAllocation, selectAssignment } from './room-stay-sql.ts'

export interface RoomAssignment {
  readonly tenantId: TenantId
  readonly allocationId: Id<'inv'>
  readonly roomId: RoomId
}

/** Assigns a room to sold rooms. Assigning the same room again changes nothing. */
export async function assignRoom(
  tx: Tx,
  { tenantId, allocationId, roomId }: RoomAssignment,
): Promise<OutputOf<InventoryOperations['assignRoom']>> {
  const input = {
    tenant: idToUuid(tenantId),
    allocation: idToUuid(allocationId),
    room: idToUuid(roomId),
  }
  const [allocation] = await tx.query(lockAllocation(input))
  if (allocation === undefined) throw problem('MELMASTOON.INVENTORY.HOLD_NOT_FOUND')
  if (allocation.state !== 'committed') throw problem('MELMASTOON.INVENTORY.HOLD_SETTLED')
  const [found] = await tx.query(selectAssignment(input))
  if (found === undefined) throw problem('MELMASTOON.INVENTORY.ROOM_NOT_FOUND')
  if (!found.is_assigned) {
    if (found.assigned >= found.rooms) throw problem('MELMASTOON.INVENTORY.ROOMS_ASSIGNED')
    const [assigned] = await tx.query(insertRoomStay(input))
    if (assigned === undefined) throw problem('MELMASTOON.INVENTORY.ROOM_TAKEN')
  }
  const stay = { checkIn: allocation.check_in, checkOut: allocation.check_out }
  return { allocationId, roomId, stay }
}
