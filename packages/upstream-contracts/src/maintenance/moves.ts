export const WORK_ORDER_STATUSES = [
  'open',
  'assigned',
  'in_progress',
  'blocked',
  'resolved',
  'verified',
  'cancelled',
] as const

export type WorkOrderStatus = (typeof WORK_ORDER_STATUSES)[number]

/**
 * The allowed transitions of each status; all others are rejected. An assigned order can be
 * assigned to someone else, and a resolved one is reopened by a new assignment.
 */
export const WORK_ORDER_MOVES: Readonly<Record<WorkOrderStatus, readonly WorkOrderStatus[]>> = {
  open: ['assigned', 'in_progress', 'resolved', 'cancelled'],
  assigned: ['assigned', 'in_progress', 'blocked', 'resolved', 'cancelled'],
  in_progress: ['assigned', 'blocked', 'resolved', 'cancelled'],
  blocked: ['assigned', 'in_progress', 'resolved', 'cancelled'],
  resolved: ['assigned', 'verified'],
  verified: [],
  cancelled: [],
}

/** No further work is expected: another order for the same defect can be created. */
export const SETTLED_STATUSES: readonly WorkOrderStatus[] = ['resolved', 'verified', 'cancelled']
