import { idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import {
  Assignee,
  SEVERITIES,
  WORK_ORDER_CATEGORIES,
  WORK_ORDER_STATUSES,
  type WorkOrder,
} from '@melmastoon/upstream-contracts/maintenance'
import { type Static, Type } from 'typebox'

/** A work order after it was created or changed. */
export const ChangedWorkOrder = named(
  'ChangedWorkOrder',
  Type.Object({
    workOrderId: Type.String({ pattern: idPattern('mnt') }),
    propertyId: Type.String({ pattern: idPattern('ppt') }),
    roomId: Type.Optional(Type.String({ pattern: idPattern('rmu') })),
    category: Type.Enum([...WORK_ORDER_CATEGORIES]),
    severity: Type.Enum([...SEVERITIES]),
    status: Type.Enum([...WORK_ORDER_STATUSES]),
    blocksRoom: Type.Boolean(),
    assignee: Type.Optional(Assignee),
    version: Type.Integer({ minimum: 1 }),
    updatedAt: Type.String({ format: 'date-time' }),
  }),
)

export function describeWorkOrder(order: WorkOrder): Static<typeof ChangedWorkOrder> {
  const { workOrderId, propertyId, roomId, category, severity, status, blocksRoom } = order
  const { assignee, version, updatedAt } = order
  return {
    workOrderId,
    propertyId,
    ...(roomId !== undefined && { roomId }),
    category,
    severity,
    status,
    blocksRoom,
    ...(assignee !== undefined && { assignee }),
    version,
    updatedAt,
  }
}
