import { Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { Actor, CausationId, id, StaffChange, text } from '../schemas.ts'
import {
  Assignee,
  SEVERITIES,
  WORK_ORDER_CATEGORIES,
  WORK_ORDER_SOURCES,
  WorkOrder,
  WorkOrderDetail,
  WorkOrderStatusSchema,
} from './schemas.ts'

export {
  SETTLED_STATUSES,
  WORK_ORDER_MOVES,
  WORK_ORDER_STATUSES,
  type WorkOrderStatus,
} from './moves.ts'
export {
  Assignee,
  SEVERITIES,
  type Severity,
  WORK_ORDER_CATEGORIES,
  WORK_ORDER_SOURCES,
  WorkOrder,
  type WorkOrderCategory,
  WorkOrderDetail,
  type WorkOrderSource,
} from './schemas.ts'

const PropertyParams = Type.Object({ propertyId: id('ppt') })
const WorkOrderParams = Type.Object({ workOrderId: id('mnt') })
const Category = Type.Enum([...WORK_ORDER_CATEGORIES])

const MOVE_CODES = [
  'MELMASTOON.MAINTENANCE.WORK_ORDER_NOT_FOUND',
  'MELMASTOON.MAINTENANCE.VERSION_CONFLICT',
  'MELMASTOON.MAINTENANCE.INVALID_STATUS_TRANSITION',
  'MELMASTOON.MAINTENANCE.WORK_ORDER_TERMINAL',
] as const

const move = {
  method: 'POST',
  params: WorkOrderParams,
  response: WorkOrderDetail,
  tenantScoped: true,
  idempotent: true,
  errorCodes: MOVE_CODES,
} as const

export const maintenanceContract = defineContract({
  upstream: 'maintenance',
  basePath: '/api/v1',
  operations: {
    listWorkOrders: {
      method: 'GET',
      path: '/properties/:propertyId/work-orders',
      summary: 'List the work orders of a hotel, newest first',
      params: PropertyParams,
      query: Type.Object({
        status: Type.Optional(WorkOrderStatusSchema),
        /** Only orders that are neither verified nor cancelled. */
        active: Type.Optional(Type.Boolean()),
        /** The last order of the previous page. */
        cursor: Type.Optional(id('mnt')),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
      }),
      response: Type.Object({
        workOrders: Type.Array(WorkOrder, { maxItems: 200 }),
        nextCursor: Type.Optional(id('mnt')),
      }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    getWorkOrder: {
      method: 'GET',
      path: '/work-orders/:workOrderId',
      summary: 'Get a work order with its history',
      params: WorkOrderParams,
      response: WorkOrderDetail,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.MAINTENANCE.WORK_ORDER_NOT_FOUND'],
    },
    findOpen: {
      method: 'GET',
      path: '/properties/:propertyId/work-orders/open',
      summary: 'Find the unresolved order of a room and category, if any',
      params: PropertyParams,
      query: Type.Object({ roomId: id('rmu'), category: Category }),
      response: Type.Object({ workOrder: Type.Optional(WorkOrderDetail) }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    findByCausation: {
      method: 'GET',
      path: '/properties/:propertyId/work-orders/by-causation/:causationId',
      summary: 'Find the order that was created with this causation id',
      params: Type.Object({ propertyId: id('ppt'), causationId: CausationId }),
      response: WorkOrderDetail,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.MAINTENANCE.WORK_ORDER_NOT_FOUND'],
    },
    createWorkOrder: {
      method: 'POST',
      path: '/properties/:propertyId/work-orders',
      summary: 'Create a work order; a room has at most one unresolved order per category',
      status: 201,
      params: PropertyParams,
      body: Type.Object({
        roomId: Type.Optional(id('rmu')),
        category: Category,
        severity: Type.Enum([...SEVERITIES]),
        title: text(200),
        description: Type.Optional(text(2_000)),
        source: Type.Enum([...WORK_ORDER_SOURCES]),
        /** Requires a room, which is out of order until the order is verified or cancelled. */
        blocksRoom: Type.Optional(Type.Boolean()),
        actor: Actor,
        causationId: Type.Optional(CausationId),
      }),
      response: WorkOrderDetail,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.PROPERTY.NOT_FOUND',
        'MELMASTOON.MAINTENANCE.ROOM_NOT_FOUND',
        'MELMASTOON.MAINTENANCE.ROOM_REQUIRED',
        'MELMASTOON.MAINTENANCE.DUPLICATE_OPEN_WORK_ORDER',
      ],
    },
    assign: {
      ...move,
      path: '/work-orders/:workOrderId/assign',
      summary: 'Assign an order, also to someone else, or reopen a resolved one',
      body: Type.Object({ assignee: Assignee, ...StaffChange }),
      errorCodes: [...MOVE_CODES, 'MELMASTOON.MAINTENANCE.DUPLICATE_OPEN_WORK_ORDER'],
    },
    changeStatus: {
      ...move,
      path: '/work-orders/:workOrderId/status',
      summary: 'Report progress: started, waiting for something, or cancelled',
      body: Type.Object({
        status: Type.Enum(['in_progress', 'blocked', 'cancelled']),
        ...StaffChange,
      }),
    },
    resolve: {
      ...move,
      path: '/work-orders/:workOrderId/resolve',
      summary: 'Report that the defect is repaired',
      body: Type.Object({ resolution: Type.Optional(text(2_000)), ...StaffChange }),
    },
    verify: {
      ...move,
      path: '/work-orders/:workOrderId/verify',
      summary: 'Confirm the repair; a blocked room returns to service and needs cleaning',
      body: Type.Object(StaffChange),
    },
  },
})
