import { type IsoDate, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type {
  housekeepingContract,
  Task,
  TaskDetail,
  TaskKind,
  TaskPriority,
  TaskStatus,
} from '@melmastoon/upstream-contracts/housekeeping'
import { type HistoryRow, toHistory } from '../../staff/staff-change.ts'

export type HousekeepingOperations = (typeof housekeepingContract)['operations']

export interface TaskRow {
  readonly task_id: string
  readonly property_id: string
  readonly room_id: string
  readonly room_number: string
  readonly kind: TaskKind
  readonly priority: TaskPriority
  readonly status: TaskStatus
  readonly scheduled_for: IsoDate
  readonly reservation_id: string | null
  readonly operator_id: string | null
  readonly source: Task['source']
  readonly created_at: Date
  readonly started_at: Date | null
  readonly completed_at: Date | null
  readonly inspected_at: Date | null
  readonly version: number
  readonly updated_at: Date
}

export interface TaskDetailRow extends TaskRow {
  readonly history: readonly HistoryRow<TaskStatus>[]
}

export function toTask(row: TaskRow): Task {
  const { reservation_id: reservation, operator_id: operator } = row
  return {
    taskId: uuidToId('hkt', row.task_id),
    propertyId: uuidToId('ppt', row.property_id),
    roomId: uuidToId('rmu', row.room_id),
    roomNumber: row.room_number,
    kind: row.kind,
    priority: row.priority,
    status: row.status,
    scheduledFor: row.scheduled_for,
    ...(reservation !== null && { reservationId: uuidToId('rsv', reservation) }),
    ...(operator !== null && { operatorId: uuidToId('opr', operator) }),
    source: row.source,
    createdAt: toIsoDateTime(row.created_at),
    ...(row.started_at !== null && { startedAt: toIsoDateTime(row.started_at) }),
    ...(row.completed_at !== null && { completedAt: toIsoDateTime(row.completed_at) }),
    ...(row.inspected_at !== null && { inspectedAt: toIsoDateTime(row.inspected_at) }),
    version: row.version,
    updatedAt: toIsoDateTime(row.updated_at),
  }
}

export function toTaskDetail(row: TaskDetailRow): TaskDetail {
  return { ...toTask(row), history: row.history.map(toHistory) }
}
