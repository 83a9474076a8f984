import type { WorkOrder } from '@melmastoon/upstream-contracts/maintenance'
import type { BoardRights } from './board-rights.ts'
import type { RowAction, WorkOrderRow } from './board-rows.ts'

const SEVERITY_ORDER = ['critical', 'high', 'normal', 'low'] as const

const ACTIONS: Partial<Record<WorkOrder['status'], readonly (readonly [RowAction, string])[]>> = {
  open: [['work_order_assign', 'staff.work-order.assign']],
  assigned: [
    ['work_order_assign', 'staff.work-order.assign'],
    ['work_order_resolve', 'staff.work-order.resolve'],
  ],
  in_progress: [['work_order_resolve', 'staff.work-order.resolve']],
  blocked: [['work_order_resolve', 'staff.work-order.resolve']],
  resolved: [['work_order_verify', 'staff.work-order.verify']],
}

/** The most severe first, then the oldest. Housekeeping sees what it reported itself. */
export function composeWorkOrders(
  orders: readonly WorkOrder[],
  rights: BoardRights,
): WorkOrderRow[] {
  const { onlyReportedBy } = rights
  return orders
    .filter((order) => onlyReportedBy === null || order.reportedBy === onlyReportedBy)
    .toSorted(bySeverity)
    .map((order) => describe(order, rights))
}

function bySeverity(a: WorkOrder, b: WorkOrder): number {
  const rank = (order: WorkOrder) => SEVERITY_ORDER.indexOf(order.severity)
  return rank(a) - rank(b) || a.createdAt.localeCompare(b.createdAt)
}

function describe(order: WorkOrder, rights: BoardRights): WorkOrderRow {
  const actions = ACTIONS[order.status] ?? []
  return {
    id: order.workOrderId,
    version: order.version,
    updatedAt: order.updatedAt,
    allowedActions: actions
      .filter(([, operation]) => rights.may(operation))
      .map(([action]) => action),
    status: order.status,
    severity: order.severity,
    category: order.category,
    title: order.title,
    ...(order.roomId !== undefined && { roomId: order.roomId }),
    ...(order.roomNumber !== undefined && { roomNumber: order.roomNumber }),
    ...(order.assignee !== undefined && { assignee: order.assignee }),
    createdAt: order.createdAt,
    blocksRoom: order.blocksRoom,
  }
}
