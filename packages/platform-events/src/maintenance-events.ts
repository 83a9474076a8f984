import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { causationId, closed, code, id, instant, version } from './fields.ts'

const workOrderEvent = {
  version: 1,
  producer: 'maintenance-service',
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
  piiAllowed: [
    'propertyId',
    'workOrderId',
    'roomId',
    'category',
    'severity',
    'status',
    'blocksRoom',
    'version',
    'operatorId',
    'causationId',
    'occurredAt',
  ],
  payload: closed({
    tenantId: id('tnt'),
    propertyId: id('ppt'),
    workOrderId: id('mnt'),
    roomId: Type.Union([id('rmu'), Type.Null()]),
    category: code(),
    severity: code(),
    status: code(),
    blocksRoom: Type.Boolean(),
    version: version(),
    operatorId: Type.Union([id('opr'), Type.Null()]),
    causationId: causationId(),
    occurredAt: instant(),
  }),
  orderingKey: (payload: { workOrderId: string }) => payload.workOrderId,
} as const

export const workOrderCreated = defineEvent({
  ...workOrderEvent,
  subject: 'melmastoon.maintenance.work_order.created.v1',
})
export const workOrderAssigned = defineEvent({
  ...workOrderEvent,
  subject: 'melmastoon.maintenance.work_order.assigned.v1',
})
/** The order is in progress, blocked or cancelled. */
export const workOrderStatusChanged = defineEvent({
  ...workOrderEvent,
  subject: 'melmastoon.maintenance.work_order.status_changed.v1',
})
export const workOrderResolved = defineEvent({
  ...workOrderEvent,
  subject: 'melmastoon.maintenance.work_order.resolved.v1',
})
export const workOrderVerified = defineEvent({
  ...workOrderEvent,
  subject: 'melmastoon.maintenance.work_order.verified.v1',
})
/** The room is out of order because of this work order. */
export const workOrderRoomBlocked = defineEvent({
  ...workOrderEvent,
  subject: 'melmastoon.maintenance.work_order.room_blocked.v1',
})
