import type { Queryable } from '@melmastoon/chassis/db'
import { type Id, idToUuid, problem, type TenantId } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { TaskDetail } from '@melmastoon/upstream-contracts/housekeeping'
import { type HousekeepingOperations, toTask, toTaskDetail } from './task.ts'
import { selectTask, selectTasks } from './task-sql.ts'

const PAGE = 100

export interface TaskRef {
  readonly tenantId: TenantId
  readonly taskId: Id<'hkt'>
}

export async function readTask(db: Queryable, { tenantId, taskId }: TaskRef): Promise<TaskDetail> {
  const key = { tenant: idToUuid(tenantId), task: idToUuid(taskId) }
  const [row] = await db.query(selectTask(key))
  if (row === undefined) throw problem('MELMASTOON.HOUSEKEEPING.TASK_NOT_FOUND')
  return toTaskDetail(row)
}

/** One additional row shows whether there is a next page. */
export async function listTasks(
  db: Queryable,
  tenantId: TenantId,
  { params, query }: InputOf<HousekeepingOperations['listTasks']>,
): Promise<OutputOf<HousekeepingOperations['listTasks']>> {
  const { status = null, cursor, limit = PAGE } = query
  const rows = await db.query(
    selectTasks({
      tenant: idToUuid(tenantId),
      property: idToUuid(params.propertyId),
      status,
      after: cursor === undefined ? null : idToUuid(cursor),
      rows: limit + 1,
    }),
  )
  const tasks = rows.slice(0, limit).map(toTask)
  const last = rows.length > limit ? tasks.at(-1) : undefined
  return { tasks, ...(last && { nextCursor: last.taskId }) }
}
