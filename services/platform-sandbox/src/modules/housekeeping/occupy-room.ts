import type { Tx } from '@melmastoon/chassis/db'
import { type IsoDate, idToUuid, type ReservationId, uuidToId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { TaskKind } from '@melmastoon/upstream-contracts/housekeeping'
import type { PlacedRoom } from '../property/module.ts'
import { addTask } from './add-task.ts'
import { taskEvent } from './housekeeping-events.ts'
import { applyMove } from './move-task.ts'
import { readTask } from './read-tasks.ts'
import type { RoomStateRow } from './room.ts'
import { type ChangeSource, changeRoomState, lockRoomState } from './room-change.ts'
import { selectOpenTasks } from './task-sql.ts'

export interface RoomPlace {
  readonly room: PlacedRoom
  readonly today: IsoDate
  readonly source: ChangeSource
}

export interface RoomOfStay extends RoomPlace {
  readonly reservationId: ReservationId
}

/** Guests have moved into the room. Returns the events. */
export async function moveIn(tx: Tx, stay: RoomOfStay): Promise<OutboxEvent[]> {
  const { room, today, source, reservationId } = stay
  const state = await lockRoomState(tx, { tenantId: source.tenantId, ...room })
  const by = idToUuid(reservationId)
  if (state.occupied_by === by) return []
  const change = { occupied: { by, on: today }, discrepancy: false }
  return [await changeRoomState(tx, { room: state, change, source })]
}

/** Guests have left the room: it is dirty and needs a turnover. Returns the events. */
export async function moveOut(tx: Tx, stay: RoomOfStay): Promise<OutboxEvent[]> {
  const { room, today, source, reservationId } = stay
  const { tenantId } = source
  const state = await lockRoomState(tx, { tenantId, ...room })
  if (state.occupied_by !== null && state.occupied_by !== idToUuid(reservationId)) return []
  const flags = state.flags.filter((flag) => flag === 'out_of_order' || flag === 'out_of_service')
  const change = { condition: 'dirty', occupied: null, flags, discrepancy: false } as const
  const changed = await changeRoomState(tx, { room: state, change, source })
  const cancelled = await cancelTasks(tx, state, { source, kind: 'mid_stay_clean' })
  const planned = { room, kind: 'turnover', priority: 'normal', scheduledFor: today } as const
  const task = await addTask(tx, { ...planned, source: 'event', reservationId }, source)
  const added = task === null ? [] : [taskEvent(tenantId, task, source.cause)]
  return [changed, ...cancelled, ...added]
}

/** Requires the lock of the room. */
async function cancelTasks(
  tx: Tx,
  state: RoomStateRow,
  { source, kind }: { readonly source: ChangeSource; readonly kind: TaskKind },
): Promise<OutboxEvent[]> {
  const { tenantId, origin, cause } = source
  const open = await tx.query(selectOpenTasks(idToUuid(tenantId), state.room_id))
  const events: OutboxEvent[] = []
  for (const task of open.filter((each) => each.kind === kind)) {
    const ref = { tenantId, taskId: uuidToId('hkt', task.task_id) }
    const { causationId } = origin
    await applyMove(tx, ref, { to: 'cancelled', operator: null, causationId })
    events.push(taskEvent(tenantId, await readTask(tx, ref), cause))
  }
  return events
}
