import { type Id, type TenantId, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import {
  housekeepingRoomStatusChanged,
  housekeepingTaskCancelled,
  housekeepingTaskCompleted,
  housekeepingTaskCreated,
  housekeepingTaskInspected,
  housekeepingTaskStarted,
  platformRegistry,
} from '@melmastoon/platform-events'
import type { TaskDetail, TaskStatus } from '@melmastoon/upstream-contracts/housekeeping'
import type { ChangeOrigin } from '../../staff/staff-change.ts'
import type { RoomStateRow } from './room.ts'

const SUBJECTS = {
  pending: housekeepingTaskCreated.subject,
  in_progress: housekeepingTaskStarted.subject,
  completed: housekeepingTaskCompleted.subject,
  inspected: housekeepingTaskInspected.subject,
  cancelled: housekeepingTaskCancelled.subject,
} as const satisfies Record<TaskStatus, string>

/** The event of the latest version of a task, which its history describes. */
export function taskEvent(tenantId: TenantId, task: TaskDetail, cause: EventContext): OutboxEvent {
  const { propertyId, taskId, roomId, reservationId, kind, priority, status, version } = task
  const latest = task.history.at(-1)
  const payload = {
    tenantId,
    propertyId,
    taskId,
    roomId,
    reservationId: reservationId ?? null,
    kind,
    priority,
    status,
    version,
    operatorId: latest?.operatorId ?? null,
    causationId: latest?.causationId ?? null,
    occurredAt: task.updatedAt,
  }
  return platformRegistry.build(SUBJECTS[status], payload, cause)
}

export function roomEvent(
  tenantId: TenantId,
  room: RoomStateRow,
  { origin, cause }: { readonly origin: ChangeOrigin; readonly cause: EventContext },
): OutboxEvent {
  const payload = {
    tenantId,
    propertyId: uuidToId('ppt', room.property_id),
    roomId: uuidToId('rmu', room.room_id) satisfies Id<'rmu'>,
    status: room.condition,
    isOccupied: room.occupied_by !== null,
    flags: room.flags,
    version: room.version,
    ...origin,
    occurredAt: toIsoDateTime(room.updated_at),
  }
  return platformRegistry.build(housekeepingRoomStatusChanged.subject, payload, cause)
}
