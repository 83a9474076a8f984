import type { Tx } from '@melmastoon/chassis/db'
import { type IsoDate, idToUuid, newId, type ReservationId } from '@melmastoon/domain'
import type {
  Task,
  TaskDetail,
  TaskKind,
  TaskPriority,
} from '@melmastoon/upstream-contracts/housekeeping'
import { operatorUuid } from '../../staff/staff-change.ts'
import type { PlacedRoom } from '../property/module.ts'
import { readTask } from './read-tasks.ts'
import type { ChangeSource } from './room-change.ts'
import { insertTask } from './task-sql.ts'

export interface PlannedTask {
  readonly room: Pick<PlacedRoom, 'roomId' | 'propertyId' | 'number'>
  readonly kind: TaskKind
  readonly priority: TaskPriority
  readonly scheduledFor: IsoDate
  readonly source: Task['source']
  readonly reservationId?: ReservationId
}

/** Requires the lock of the room. Null: the room has an open task of this kind. */
export async function addTask(
  tx: Tx,
  planned: PlannedTask,
  { tenantId, origin }: Pick<ChangeSource, 'tenantId' | 'origin'>,
): Promise<TaskDetail | null> {
  const { room, reservationId, kind, priority, scheduledFor, source } = planned
  const taskId = newId('hkt')
  const statement = insertTask({
    tenant: idToUuid(tenantId),
    task: idToUuid(taskId),
    property: idToUuid(room.propertyId),
    room: idToUuid(room.roomId),
    roomNumber: room.number,
    kind,
    priority,
    scheduledFor,
    source,
    reservation: reservationId === undefined ? null : idToUuid(reservationId),
    operator: operatorUuid(origin),
    causationId: origin.causationId,
  })
  const [added] = await tx.query(statement)
  return added === undefined ? null : await readTask(tx, { tenantId, taskId })
}
