import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { causationId, closed, code, id, instant, version } from './fields.ts'

const housekeepingEvent = {
  version: 1,
  producer: 'housekeeping-service',
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
} as const

const taskEvent = {
  ...housekeepingEvent,
  piiAllowed: [
    'propertyId',
    'taskId',
    'roomId',
    'reservationId',
    'kind',
    'priority',
    'status',
    'version',
    'operatorId',
    'causationId',
    'occurredAt',
  ],
  payload: closed({
    tenantId: id('tnt'),
    propertyId: id('ppt'),
    taskId: id('hkt'),
    roomId: id('rmu'),
    reservationId: Type.Union([id('rsv'), Type.Null()]),
    kind: code(),
    priority: code(),
    status: code(),
    version: version(),
    operatorId: Type.Union([id('opr'), Type.Null()]),
    causationId: causationId(),
    occurredAt: instant(),
  }),
  orderingKey: (payload: { taskId: string }) => payload.taskId,
} as const

export const housekeepingTaskCreated = defineEvent({
  ...taskEvent,
  subject: 'melmastoon.housekeeping.task.created.v1',
})
export const housekeepingTaskStarted = defineEvent({
  ...taskEvent,
  subject: 'melmastoon.housekeeping.task.started.v1',
})
export const housekeepingTaskCompleted = defineEvent({
  ...taskEvent,
  subject: 'melmastoon.housekeeping.task.completed.v1',
})
export const housekeepingTaskInspected = defineEvent({
  ...taskEvent,
  subject: 'melmastoon.housekeeping.task.inspected.v1',
})
/** The task is no longer needed, for example because the guest has left. */
export const housekeepingTaskCancelled = defineEvent({
  ...taskEvent,
  subject: 'melmastoon.housekeeping.task.cancelled.v1',
})

/** The condition, occupancy or flags of a room changed; `status` is the condition. */
export const housekeepingRoomStatusChanged = defineEvent({
  ...housekeepingEvent,
  subject: 'melmastoon.housekeeping.room.status_changed.v1',
  piiAllowed: [
    'propertyId',
    'roomId',
    'status',
    'isOccupied',
    'flags',
    'version',
    'operatorId',
    'causationId',
    'occurredAt',
  ],
  payload: closed({
    tenantId: id('tnt'),
    propertyId: id('ppt'),
    roomId: id('rmu'),
    status: code(),
    isOccupied: Type.Boolean(),
    flags: Type.Array(code(), { maxItems: 10 }),
    version: version(),
    operatorId: Type.Union([id('opr'), Type.Null()]),
    causationId: causationId(),
    occurredAt: instant(),
  }),
  orderingKey: (payload) => payload.roomId,
})
