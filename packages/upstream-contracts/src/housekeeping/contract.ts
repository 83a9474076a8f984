import { Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { Actor, CausationId, id, isoDate, StaffChange } from '../schemas.ts'
import {
  HousekeepingRoom,
  RoomDetail,
  STAFF_FLAGS,
  TASK_KINDS,
  TASK_PRIORITIES,
  Task,
  TaskDetail,
  TaskStatusSchema,
} from './schemas.ts'

export { TASK_MOVES, TASK_STATUSES, type TaskStatus } from './moves.ts'
export {
  HousekeepingRoom,
  ROOM_CONDITIONS,
  ROOM_FLAGS,
  ROOM_OCCUPANCIES,
  type RoomCondition,
  RoomDetail,
  type RoomFlag,
  type RoomOccupancy,
  STAFF_FLAGS,
  type StaffFlag,
  TASK_KINDS,
  TASK_PRIORITIES,
  Task,
  TaskDetail,
  type TaskKind,
  type TaskPriority,
  TaskSummary,
} from './schemas.ts'

const PropertyParams = Type.Object({ propertyId: id('ppt') })
const TaskParams = Type.Object({ taskId: id('hkt') })
const RoomParams = Type.Object({ roomId: id('rmu') })

const TASK_CODES = [
  'MELMASTOON.HOUSEKEEPING.TASK_NOT_FOUND',
  'MELMASTOON.HOUSEKEEPING.VERSION_CONFLICT',
  'MELMASTOON.HOUSEKEEPING.ROOM_STATE_CONFLICT',
] as const

const taskMove = {
  method: 'POST',
  params: TaskParams,
  body: Type.Object(StaffChange),
  response: TaskDetail,
  tenantScoped: true,
  idempotent: true,
  errorCodes: TASK_CODES,
} as const

const ROOM_CODES = [
  'MELMASTOON.HOUSEKEEPING.ROOM_NOT_FOUND',
  'MELMASTOON.HOUSEKEEPING.VERSION_CONFLICT',
] as const

export const housekeepingContract = defineContract({
  upstream: 'housekeeping',
  basePath: '/api/v1',
  operations: {
    listRooms: {
      method: 'GET',
      path: '/properties/:propertyId/rooms',
      summary: 'List the rooms of a hotel by floor and number, with condition and occupancy',
      params: PropertyParams,
      response: Type.Object({
        /** Today in the time zone of the hotel: `due_out` and `reserved` refer to it. */
        businessDate: isoDate(),
        rooms: Type.Array(HousekeepingRoom, { maxItems: 1_000 }),
      }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    getRoom: {
      method: 'GET',
      path: '/rooms/:roomId',
      summary: 'Get a room with its newest history',
      params: RoomParams,
      response: RoomDetail,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.HOUSEKEEPING.ROOM_NOT_FOUND'],
    },
    setRoomCondition: {
      method: 'PUT',
      path: '/rooms/:roomId/condition',
      summary: 'Correct the condition of a room; not while a task of the room is in progress',
      params: RoomParams,
      body: Type.Object({
        condition: Type.Enum(['clean', 'dirty', 'inspected']),
        /** Whether housekeeping found another occupancy than the front desk has. */
        discrepancy: Type.Optional(Type.Boolean()),
        ...StaffChange,
      }),
      response: RoomDetail,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [...ROOM_CODES, 'MELMASTOON.HOUSEKEEPING.ROOM_STATE_CONFLICT'],
    },
    setRoomFlags: {
      method: 'PUT',
      path: '/rooms/:roomId/flags',
      summary: 'Replace the flags of a room that staff can set',
      params: RoomParams,
      body: Type.Object({
        flags: Type.Array(Type.Enum([...STAFF_FLAGS]), {
          maxItems: STAFF_FLAGS.length,
          uniqueItems: true,
        }),
        ...StaffChange,
      }),
      response: RoomDetail,
      tenantScoped: true,
      idempotent: true,
      errorCodes: ROOM_CODES,
    },
    listTasks: {
      method: 'GET',
      path: '/properties/:propertyId/tasks',
      summary: 'List the tasks of a hotel, oldest first',
      params: PropertyParams,
      query: Type.Object({
        status: Type.Optional(TaskStatusSchema),
        /** The last task of the previous page. */
        cursor: Type.Optional(id('hkt')),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
      }),
      response: Type.Object({
        tasks: Type.Array(Task, { maxItems: 200 }),
        nextCursor: Type.Optional(id('hkt')),
      }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    getTask: {
      method: 'GET',
      path: '/tasks/:taskId',
      summary: 'Get a task with its history',
      params: TaskParams,
      response: TaskDetail,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.HOUSEKEEPING.TASK_NOT_FOUND'],
    },
    createTask: {
      method: 'POST',
      path: '/properties/:propertyId/tasks',
      summary: 'Create a task; a room has at most one open task of a kind',
      status: 201,
      params: PropertyParams,
      body: Type.Object({
        roomId: id('rmu'),
        kind: Type.Enum([...TASK_KINDS]),
        priority: Type.Optional(Type.Enum([...TASK_PRIORITIES])),
        scheduledFor: Type.Optional(isoDate()),
        actor: Actor,
        causationId: Type.Optional(CausationId),
      }),
      response: TaskDetail,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.PROPERTY.NOT_FOUND',
        'MELMASTOON.HOUSEKEEPING.ROOM_NOT_FOUND',
        'MELMASTOON.HOUSEKEEPING.ROOM_STATE_CONFLICT',
      ],
    },
    startTask: {
      ...taskMove,
      path: '/tasks/:taskId/start',
      summary: 'Start a pending task: the room is being cleaned',
    },
    completeTask: {
      ...taskMove,
      path: '/tasks/:taskId/complete',
      summary: 'Complete a started task: the room is clean',
    },
    inspectTask: {
      ...taskMove,
      path: '/tasks/:taskId/inspect',
      summary: 'Confirm a completed task after an inspection: the room is inspected',
    },
  },
})
