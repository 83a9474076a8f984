import { type Static, Type } from 'typebox'
import { id, instant, isoDate, ResourceHistory } from '../schemas.ts'
import { TASK_STATUSES } from './moves.ts'

export const ROOM_CONDITIONS = ['clean', 'dirty', 'cleaning', 'inspected'] as const
export type RoomCondition = (typeof ROOM_CONDITIONS)[number]

export const ROOM_OCCUPANCIES = ['vacant', 'reserved', 'occupied', 'due_out'] as const
export type RoomOccupancy = (typeof ROOM_OCCUPANCIES)[number]

/** Set by staff. */
export const STAFF_FLAGS = ['dnd', 'refused', 'pickup', 'out_of_service'] as const
export type StaffFlag = (typeof STAFF_FLAGS)[number]

/** `out_of_order` is set while a work order blocks the room. */
export const ROOM_FLAGS = [...STAFF_FLAGS, 'out_of_order'] as const
export type RoomFlag = (typeof ROOM_FLAGS)[number]

export const TASK_KINDS = [
  'turnover',
  'mid_stay_clean',
  'deep_clean',
  'post_maintenance',
  'post_renovation',
  'inspection',
] as const
export type TaskKind = (typeof TASK_KINDS)[number]

export const TASK_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export type TaskPriority = (typeof TASK_PRIORITIES)[number]

export const TaskStatusSchema = Type.Enum([...TASK_STATUSES])
const Condition = Type.Enum([...ROOM_CONDITIONS])
const Kind = Type.Enum([...TASK_KINDS])
const Priority = Type.Enum([...TASK_PRIORITIES])
const Version = Type.Integer({ minimum: 1 })

export const TaskSummary = Type.Object({
  taskId: id('hkt'),
  kind: Kind,
  priority: Priority,
  status: TaskStatusSchema,
  version: Version,
})

export type TaskSummary = Static<typeof TaskSummary>

const task = {
  taskId: id('hkt'),
  propertyId: id('ppt'),
  roomId: id('rmu'),
  roomNumber: Type.String({ maxLength: 20 }),
  kind: Kind,
  priority: Priority,
  status: TaskStatusSchema,
  /** The business day for which the task is planned. */
  scheduledFor: isoDate(),
  /** The stay that caused the task. */
  reservationId: Type.Optional(id('rsv')),
  /** Who started the task. */
  operatorId: Type.Optional(id('opr')),
  source: Type.Enum(['event', 'manual', 'scheduler']),
  createdAt: instant(),
  startedAt: Type.Optional(instant()),
  completedAt: Type.Optional(instant()),
  inspectedAt: Type.Optional(instant()),
  version: Version,
  updatedAt: instant(),
}

export const Task = Type.Object(task)
export type Task = Static<typeof Task>

export const TaskDetail = Type.Object({ ...task, history: ResourceHistory(TaskStatusSchema) })
export type TaskDetail = Static<typeof TaskDetail>

const room = {
  roomId: id('rmu'),
  propertyId: id('ppt'),
  roomTypeId: id('rmt'),
  number: Type.String({ maxLength: 20 }),
  floor: Type.Integer(),
  condition: Condition,
  occupancy: Type.Enum([...ROOM_OCCUPANCIES]),
  flags: Type.Array(Type.Enum([...ROOM_FLAGS]), { maxItems: ROOM_FLAGS.length }),
  /** Housekeeping found the room in an occupancy other than that of the front desk. */
  discrepancy: Type.Boolean(),
  /** The most urgent open task, otherwise the completed one that awaits its inspection. */
  task: Type.Optional(TaskSummary),
  version: Version,
  updatedAt: instant(),
}

export const HousekeepingRoom = Type.Object(room)
export type HousekeepingRoom = Static<typeof HousekeepingRoom>

/** The status in the history of a room is its condition. */
export const RoomDetail = Type.Object({ ...room, history: ResourceHistory(Condition) })
export type RoomDetail = Static<typeof RoomDetail>
