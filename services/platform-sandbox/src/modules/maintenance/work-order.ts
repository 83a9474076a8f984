import { idToUuid, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type {
  Assignee,
  maintenanceContract,
  Severity,
  WorkOrder,
  WorkOrderCategory,
  WorkOrderDetail,
  WorkOrderSource,
  WorkOrderStatus,
} from '@melmastoon/upstream-contracts/maintenance'
import { type HistoryRow, toHistory } from '../../staff/staff-change.ts'

export type MaintenanceOperations = (typeof maintenanceContract)['operations']

export interface WorkOrderRow {
  readonly work_order_id: string
  readonly property_id: string
  readonly room_id: string | null
  readonly room_number: string | null
  readonly category: WorkOrderCategory
  readonly severity: Severity
  readonly status: WorkOrderStatus
  readonly title: string
  readonly description: string | null
  readonly source: WorkOrderSource
  readonly blocks_room: boolean
  readonly assignee: Assignee | null
  readonly reported_by: string | null
  readonly resolution: string | null
  readonly created_at: Date
  readonly assigned_at: Date | null
  readonly resolved_at: Date | null
  readonly verified_at: Date | null
  readonly version: number
  readonly updated_at: Date
}

export interface WorkOrderDetailRow extends WorkOrderRow {
  readonly history: readonly HistoryRow<WorkOrderStatus>[]
}

export function toWorkOrder(row: WorkOrderRow): WorkOrder {
  const { room_id, room_number, description, assignee, reported_by, resolution } = row
  return {
    workOrderId: uuidToId('mnt', row.work_order_id),
    propertyId: uuidToId('ppt', row.property_id),
    ...(room_id !== null && { roomId: uuidToId('rmu', room_id) }),
    ...(room_number !== null && { roomNumber: room_number }),
    category: row.category,
    severity: row.severity,
    status: row.status,
    title: row.title,
    ...(description !== null && { description }),
    source: row.source,
    blocksRoom: row.blocks_room,
    ...(assignee !== null && { assignee }),
    ...(reported_by !== null && { reportedBy: uuidToId('opr', reported_by) }),
    ...(resolution !== null && { resolution }),
    createdAt: toIsoDateTime(row.created_at),
    ...(row.assigned_at !== null && { assignedAt: toIsoDateTime(row.assigned_at) }),
    ...(row.resolved_at !== null && { resolvedAt: toIsoDateTime(row.resolved_at) }),
    ...(row.verified_at !== null && { verifiedAt: toIsoDateTime(row.verified_at) }),
    version: row.version,
    updatedAt: toIsoDateTime(row.updated_at),
  }
}

export function toWorkOrderDetail(row: WorkOrderDetailRow): WorkOrderDetail {
  return { ...toWorkOrder(row), history: row.history.map(toHistory) }
}

/** The ids of an order in the form of its table. */
export function workOrderKey(ref: WorkOrderRef) {
  return { tenant: idToUuid(ref.tenantId), workOrder: idToUuid(ref.workOrderId) }
}

export interface WorkOrderRef {
  readonly tenantId: Parameters<typeof idToUuid>[0]
  readonly workOrderId: WorkOrder['workOrderId']
}
