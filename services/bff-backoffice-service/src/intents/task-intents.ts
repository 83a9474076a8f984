import type { Id } from '@melmastoon/domain'
import type { TaskStatus } from '@melmastoon/upstream-contracts/housekeeping'
import { Type } from 'typebox'
import { moveTask, TASK_PROBLEMS, type TaskDeps, type TaskMove } from '../housekeeping/move-task.ts'
import { passing } from '../upstreams/staff-change.ts'
import { defineIntent } from './define-intent.ts'
import { isMadeBy, makerOf, newerThan } from './resource-history.ts'

export const ExpectVersion = Type.Object(
  { version: Type.Integer({ minimum: 1 }) },
  { additionalProperties: false },
)
export const NoArgs = Type.Object({}, { additionalProperties: false })

/** The states in which the goal of a move holds. */
const GOALS = {
  start: ['in_progress'],
  complete: ['completed', 'inspected'],
  inspect: ['inspected'],
} as const satisfies Record<TaskMove, readonly TaskStatus[]>

const taskIntent = (move: TaskMove) =>
  defineIntent({
    name: `task.${move}`,
    operation: `staff.task.${move}`,
    activity: { category: 'housekeeping', resourceKind: 'task' },
    resource: 'hkt',
    expect: ExpectVersion,
    args: NoArgs,
    read({ upstreams }: TaskDeps, { resourceId, actor: { tenantId } }, call) {
      const params = { taskId: resourceId as Id<'hkt'> }
      return upstreams.housekeeping.getTask({ params }, { ...call, tenantId }).catch(passing([]))
    },
    propertyOf: ({ propertyId }) => propertyId,
    isOwn: (task, { causationId }) => isMadeBy(task, causationId),
    done: (task) => makerOf(task, GOALS[move]),
    unexpected: (task, { expect }) => newerThan(task, expect.version),
    apply(deps, { resourceId, expect, causationId, actor }, call) {
      const taskId = resourceId as Id<'hkt'>
      const expectedVersion = expect.version
      return moveTask(deps, { taskId, move, actor, causationId, expectedVersion }, call)
    },
    rejections: TASK_PROBLEMS,
  })

export const taskIntents = [taskIntent('start'), taskIntent('complete'), taskIntent('inspect')]
