import { idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { TASK_KINDS, TASK_STATUSES, type Task } from '@melmastoon/upstream-contracts/housekeeping'
import { type Static, Type } from 'typebox'

/** A task after a change. */
export const ChangedTask = named(
  'ChangedTask',
  Type.Object({
    taskId: Type.String({ pattern: idPattern('hkt') }),
    propertyId: Type.String({ pattern: idPattern('ppt') }),
    roomId: Type.String({ pattern: idPattern('rmu') }),
    roomNumber: Type.String(),
    kind: Type.Enum([...TASK_KINDS]),
    status: Type.Enum([...TASK_STATUSES]),
    version: Type.Integer({ minimum: 1 }),
    updatedAt: Type.String({ format: 'date-time' }),
  }),
)

export function describeTask(task: Task): Static<typeof ChangedTask> {
  const { taskId, propertyId, roomId, roomNumber, kind, status, version, updatedAt } = task
  return { taskId, propertyId, roomId, roomNumber, kind, status, version, updatedAt }
}
