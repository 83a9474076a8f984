import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import {
  type RoomCondition,
  TASK_MOVES,
  type TaskDetail,
  type TaskStatus,
} from '@melmastoon/upstream-contracts/housekeeping'
import type { CallOf } from '../../contract-handlers.ts'
import { operatorUuid, originOf } from '../../staff/staff-change.ts'
import { rejectStale } from './change-room.ts'
import { taskEvent } from './housekeeping-events.ts'
import type { HousekeepingHost } from './housekeeping-host.ts'
import { readTask, type TaskRef } from './read-tasks.ts'
import type { RoomStateRow } from './room.ts'
import { changeRoomState, lockRoomState } from './room-change.ts'
import { CHANGED } from './scenarios.ts'
import type { HousekeepingOperations, TaskRow } from './task.ts'
import { lockTask, moveTask as moveTaskSql } from './task-sql.ts'

type Move = HousekeepingOperations['startTask']

/** The condition of the room after each step of a task. */
const CONDITIONS = {
  in_progress: 'cleaning',
  completed: 'clean',
  inspected: 'inspected',
} as const satisfies Partial<Record<TaskStatus, RoomCondition>>

type Step = keyof typeof CONDITIONS

export async function moveTask(
  host: HousekeepingHost,
  { to, params, body }: InputOf<Move> & { readonly to: Step },
  call: CallOf<Move>,
): Promise<TaskDetail> {
  const { tenantId, cause, scenario } = call
  const ref = { tenantId, ...params }
  if (scenario === CHANGED) await touchTask(host, ref)
  const origin = originOf(body)
  return await host.db.withTenant(tenantId, async (tx) => {
    const { room, task } = await lockTaskAndRoom(tx, ref)
    rejectStale(task.version, body.expectedVersion)
    checkStep(task, room, to)
    const { causationId } = origin
    await applyMove(tx, ref, { to, operator: operatorUuid(origin), causationId })
    const moved = await readTask(tx, ref)
    const condition = conditionAfter(task, to, room)
    const source = { tenantId, origin, cause }
    await appendEvents(tx, [
      taskEvent(tenantId, moved, cause),
      ...(condition === room.condition
        ? []
        : [await changeRoomState(tx, { room, change: { condition }, source })]),
    ])
    return await call.finish(tx, moved)
  })
}

/** Locks in the order of all changes: the room of a task never changes, so it is read first. */
async function lockTaskAndRoom(
  tx: Tx,
  ref: TaskRef,
): Promise<{ readonly room: RoomStateRow; readonly task: TaskRow }> {
  const { roomId, propertyId } = await readTask(tx, ref)
  const room = await lockRoomState(tx, { tenantId: ref.tenantId, roomId, propertyId })
  const [task] = await tx.query(lockTask(keyOf(ref)))
  if (task === undefined) throw problem('MELMASTOON.HOUSEKEEPING.TASK_NOT_FOUND')
  return { room, task }
}

function checkStep(task: TaskRow, room: RoomStateRow, to: Step): void {
  const isNext = TASK_MOVES[task.status].includes(to)
  if (!isNext || (to === 'in_progress' && !isOpenTo(task, room))) {
    throw problem('MELMASTOON.HOUSEKEEPING.ROOM_STATE_CONFLICT')
  }
}

/** Guests are not disturbed, and a room is turned over only after they have left. */
function isOpenTo({ kind }: TaskRow, { flags, occupied_by }: RoomStateRow): boolean {
  if (occupied_by === null) return true
  return kind !== 'turnover' && !flags.includes('dnd') && !flags.includes('refused')
}

/** An inspection does not make a room dirty or clean: it confirms the condition. */
function conditionAfter({ kind }: TaskRow, to: Step, room: RoomStateRow): RoomCondition {
  return kind === 'inspection' && to !== 'inspected' ? room.condition : CONDITIONS[to]
}

interface AppliedMove {
  readonly to: TaskStatus
  readonly operator: string | null
  readonly causationId: string | null
}

/** Requires the locks of the room and the task. */
export async function applyMove(tx: Tx, ref: TaskRef, move: AppliedMove): Promise<void> {
  await tx.query(moveTaskSql({ ...keyOf(ref), ...move }))
}

function keyOf({ tenantId, taskId }: TaskRef) {
  return { tenant: idToUuid(tenantId), task: idToUuid(taskId) }
}

/** A simulation: a change by someone else that keeps the status. */
async function touchTask({ db }: HousekeepingHost, ref: TaskRef): Promise<void> {
  await db.withTenant(ref.tenantId, async (tx) => {
    const { task } = await lockTaskAndRoom(tx, ref)
    await applyMove(tx, ref, { to: task.status, operator: null, causationId: null })
  })
}
