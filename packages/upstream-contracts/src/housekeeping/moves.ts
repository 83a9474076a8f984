export const TASK_STATUSES = [
  'pending',
  'in_progress',
  'completed',
  'inspected',
  'cancelled',
] as const

export type TaskStatus = (typeof TASK_STATUSES)[number]

/** The allowed transitions of each status; all others are rejected. */
export const TASK_MOVES: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  pending: ['in_progress', 'cancelled'],
  in_progress: ['completed', 'cancelled'],
  completed: ['inspected'],
  inspected: [],
  cancelled: [],
}
