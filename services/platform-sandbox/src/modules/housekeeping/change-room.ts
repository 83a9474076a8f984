import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem, type RoomId } from '@melmastoon/domain'
import type { Actor, InputOf } from '@melmastoon/upstream-contracts'
import type { RoomDetail, RoomFlag } from '@melmastoon/upstream-contracts/housekeeping'
import type { CallOf } from '../../contract-handlers.ts'
import { originOf } from '../../staff/staff-change.ts'
import type { HousekeepingHost } from './housekeeping-host.ts'
import { findPlacedRoom, readRoom } from './read-rooms.ts'
import type { RoomStateRow } from './room.ts'
import { changeRoomState, lockRoomState, type RoomChange } from './room-change.ts'
import type { HousekeepingOperations } from './task.ts'
import { selectOpenTasks } from './task-sql.ts'

type SetCondition = HousekeepingOperations['setRoomCondition']
type SetFlags = HousekeepingOperations['setRoomFlags']

export function setRoomCondition(
  host: HousekeepingHost,
  { params, body }: InputOf<SetCondition>,
  call: CallOf<SetCondition>,
): Promise<RoomDetail> {
  const { condition, discrepancy } = body
  const change = { condition, ...(discrepancy !== undefined && { discrepancy }) }
  return changeRoom(host, { ...params, body, isIdle: true, changeOf: () => change }, call)
}

export function setRoomFlags(
  host: HousekeepingHost,
  { params, body }: InputOf<SetFlags>,
  call: CallOf<SetFlags>,
): Promise<RoomDetail> {
  const changeOf = ({ flags }: RoomStateRow) => {
    const blocked: RoomFlag[] = flags.includes('out_of_order') ? ['out_of_order'] : []
    return { flags: [...body.flags, ...blocked] }
  }
  return changeRoom(host, { ...params, body, isIdle: false, changeOf }, call)
}

interface RequestedChange {
  readonly roomId: RoomId
  readonly body: {
    readonly actor: Actor
    readonly causationId?: string
    readonly expectedVersion?: number
  }
  /** Not while a task of the room is in progress. */
  readonly isIdle: boolean
  readonly changeOf: (room: RoomStateRow) => RoomChange
}

async function changeRoom(
  host: HousekeepingHost,
  { roomId, body, isIdle, changeOf }: RequestedChange,
  call: CallOf<SetFlags>,
): Promise<RoomDetail> {
  const { tenantId, cause } = call
  const { propertyId } = await findPlacedRoom(host, { tenantId, roomId })
  return await host.db.withTenant(tenantId, async (tx) => {
    const room = await lockRoomState(tx, { tenantId, roomId, propertyId })
    rejectStale(room.version, body.expectedVersion)
    const open = await tx.query(selectOpenTasks(idToUuid(tenantId), room.room_id))
    if (isIdle && open.some(({ status }) => status === 'in_progress')) {
      throw problem('MELMASTOON.HOUSEKEEPING.ROOM_STATE_CONFLICT')
    }
    const source = { tenantId, origin: originOf(body), cause }
    const change = changeOf(room)
    await appendEvents(tx, [await changeRoomState(tx, { room, change, source })])
    return await call.finish(tx, await readRoom(host, { tenantId, roomId }, tx))
  })
}

export function rejectStale(version: number, expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || expectedVersion === version) return
  throw problem('MELMASTOON.HOUSEKEEPING.VERSION_CONFLICT')
}
