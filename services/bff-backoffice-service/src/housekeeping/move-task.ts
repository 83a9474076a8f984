import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Id, ProblemCode } from '@melmastoon/domain'
import type { housekeepingContract, TaskDetail } from '@melmastoon/upstream-contracts/housekeeping'
import { type Operator, requireProperty } from '../access/operator.ts'
import {
  type ChangeCall,
  changeBody,
  passing,
  type StaffChange,
} from '../upstreams/staff-change.ts'

export interface TaskDeps {
  readonly upstreams: {
    readonly housekeeping: Pick<
      ClientOf<typeof housekeepingContract>,
      'getTask' | 'startTask' | 'completeTask' | 'inspectTask'
    >
  }
}

export const TASK_MOVES = ['start', 'complete', 'inspect'] as const
export type TaskMove = (typeof TASK_MOVES)[number]

export const TASK_PROBLEMS = [
  'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
  'MELMASTOON.HOUSEKEEPING.VERSION_CONFLICT',
  'MELMASTOON.HOUSEKEEPING.ROOM_STATE_CONFLICT',
] as const satisfies readonly ProblemCode[]

const OPERATIONS = {
  start: 'startTask',
  complete: 'completeTask',
  inspect: 'inspectTask',
} as const satisfies Record<TaskMove, keyof TaskDeps['upstreams']['housekeeping']>

/** @throws Problem RESOURCE_NOT_FOUND, also for a task of a property out of scope. */
export async function requireTask(
  { upstreams }: TaskDeps,
  { operator, taskId }: { readonly operator: Operator; readonly taskId: Id<'hkt'> },
  call: UpstreamCall,
): Promise<TaskDetail> {
  const { tenantId } = operator
  const task = await upstreams.housekeeping
    .getTask({ params: { taskId } }, { ...call, tenantId })
    .catch(passing([]))
  requireProperty(operator, task.propertyId)
  return task
}

export interface TaskChange extends StaffChange {
  readonly taskId: Id<'hkt'>
  readonly move: TaskMove
}

/** Requires that the scope was checked. */
export async function moveTask(
  { upstreams }: TaskDeps,
  change: TaskChange,
  call: ChangeCall,
): Promise<TaskDetail> {
  const { taskId, move, actor } = change
  return await upstreams.housekeeping[OPERATIONS[move]](
    { params: { taskId }, body: changeBody(change) },
    { ...call, tenantId: actor.tenantId },
  ).catch(passing(TASK_PROBLEMS))
}
