import type { Tx } from '@melmastoon/chassis/db'
import { type IsoDate, idToUuid, problem, type TenantId } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import type { RoomCondition, RoomFlag } from '@melmastoon/upstream-contracts/housekeeping'
import { type ChangeOrigin, operatorUuid } from '../../staff/staff-change.ts'
import { roomEvent } from './housekeeping-events.ts'
import type { RoomIdentity, RoomStateRow } from './room.ts'
import { insertRoom, lockRoom, updateRoom } from './room-sql.ts'

export interface RoomRef {
  readonly tenantId: TenantId
  readonly roomId: RoomIdentity['roomId']
  readonly propertyId: RoomIdentity['propertyId']
}

/** Locks a room until the end of the transaction; the first change of a room creates its row. */
export async function lockRoomState(
  tx: Tx,
  { tenantId, roomId, propertyId }: RoomRef,
): Promise<RoomStateRow> {
  const key = { tenant: idToUuid(tenantId), room: idToUuid(roomId) }
  await tx.query(insertRoom(key, idToUuid(propertyId)))
  const [row] = await tx.query(lockRoom(key))
  if (row === undefined) throw problem('MELMASTOON.HOUSEKEEPING.ROOM_NOT_FOUND')
  return row
}

export interface RoomChange {
  readonly condition?: RoomCondition
  /** Null: nobody is in house. */
  readonly occupied?: { readonly by: string; readonly on: IsoDate } | null
  readonly flags?: readonly RoomFlag[]
  readonly discrepancy?: boolean
}

export interface ChangeSource {
  readonly tenantId: TenantId
  readonly origin: ChangeOrigin
  readonly cause: EventContext
}

interface SourcedChange {
  readonly room: RoomStateRow
  readonly change: RoomChange
  readonly source: ChangeSource
}

/** Requires the lock of the room. Returns its event. */
export async function changeRoomState(
  tx: Tx,
  { room, change, source }: SourcedChange,
): Promise<OutboxEvent> {
  const { tenantId, origin } = source
  const before =
    room.occupied_by !== null && room.occupied_on !== null
      ? { by: room.occupied_by, on: room.occupied_on }
      : null
  const [changed] = await tx.query(
    updateRoom({
      tenant: idToUuid(tenantId),
      room: room.room_id,
      condition: change.condition ?? room.condition,
      occupied: change.occupied === undefined ? before : change.occupied,
      flags: change.flags ?? room.flags,
      discrepancy: change.discrepancy ?? room.discrepancy,
      operator: operatorUuid(origin),
      causationId: origin.causationId,
    }),
  )
  if (changed === undefined) throw problem('MELMASTOON.HOUSEKEEPING.ROOM_NOT_FOUND')
  return roomEvent(tenantId, changed, source)
}
