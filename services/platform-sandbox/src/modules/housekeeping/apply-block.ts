import type { Tx } from '@melmastoon/chassis/db'
import type { OutboxEvent } from '@melmastoon/events'
import type { RoomFlag } from '@melmastoon/upstream-contracts/housekeeping'
import { addTask } from './add-task.ts'
import { taskEvent } from './housekeeping-events.ts'
import type { HousekeepingHost } from './housekeeping-host.ts'
import type { RoomPlace } from './occupy-room.ts'
import { changeRoomState, lockRoomState } from './room-change.ts'

/**
 * Sets the flag to what the work orders say now, read after the room is locked: events of several
 * orders may arrive in any order. A room that returns to service is cleaned first.
 */
export async function applyBlock(
  { maintenance }: Pick<HousekeepingHost, 'maintenance'>,
  tx: Tx,
  { room, today, source }: RoomPlace,
): Promise<OutboxEvent[]> {
  const { tenantId, cause } = source
  const state = await lockRoomState(tx, { tenantId, ...room })
  const isBlocked = await maintenance.isRoomBlocked(tx, tenantId, room.roomId)
  if (isBlocked === state.flags.includes('out_of_order')) return []
  if (isBlocked) {
    const flags: RoomFlag[] = [...state.flags, 'out_of_order']
    return [await changeRoomState(tx, { room: state, change: { flags }, source })]
  }
  const flags = state.flags.filter((flag) => flag !== 'out_of_order')
  const change = { flags, condition: 'dirty' } as const
  const changed = await changeRoomState(tx, { room: state, change, source })
  const planned = { room, priority: 'normal', scheduledFor: today, source: 'event' } as const
  const task = await addTask(tx, { ...planned, kind: 'post_maintenance' }, source)
  return task === null ? [changed] : [changed, taskEvent(tenantId, task, cause)]
}
