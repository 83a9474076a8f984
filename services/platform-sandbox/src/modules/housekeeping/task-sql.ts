import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'
import type { TaskStatus } from '@melmastoon/upstream-contracts/housekeeping'
import type { TaskDetailRow, TaskRow } from './task.ts'

/** The columns of task `t`, without its history. */
const taskColumns = rawSql(`t.task_id, t.property_id, t.room_id, t.room_number, t.kind, t.priority,
  t.status, t.scheduled_for, t.reservation_id, t.operator_id, t.source, t.created_at, t.started_at,
  t.completed_at, t.inspected_at, t.version, t.updated_at`)

const HISTORY_MAX = 1_000

/** The newest entries, oldest first, as JSON. */
const historyColumn = rawSql(`coalesce((
    select json_agg(h order by h.version) from (
      select version, status, at, operator_id, causation_id
      from sandbox.housekeeping_task_history
      where tenant_id = t.tenant_id and task_id = t.task_id
      order by version desc limit ${HISTORY_MAX}) h), '[]') as history`)

export interface TaskKey {
  readonly tenant: string
  readonly task: string
}

export function selectTask(key: TaskKey): Statement<TaskDetailRow> {
  return sql<TaskDetailRow>`
    select ${taskColumns}, ${historyColumn} from sandbox.housekeeping_task t
    where t.tenant_id = ${key.tenant}::uuid and t.task_id = ${key.task}::uuid`
}

/** Only with the lock of its room: all changes lock the room first, then the task. */
export function lockTask(key: TaskKey): Statement<TaskRow> {
  return sql<TaskRow>`
    select ${taskColumns} from sandbox.housekeeping_task t
    where t.tenant_id = ${key.tenant}::uuid and t.task_id = ${key.task}::uuid
    for update`
}

export interface TaskPage {
  readonly tenant: string
  readonly property: string
  readonly status: TaskStatus | null
  readonly after: string | null
  readonly rows: number
}

export function selectTasks(page: TaskPage): Statement<TaskRow> {
  return sql<TaskRow>`
    select ${taskColumns} from sandbox.housekeeping_task t
    where t.tenant_id = ${page.tenant}::uuid and t.property_id = ${page.property}::uuid
      and (${page.status}::text is null or t.status = ${page.status})
      and (${page.after}::uuid is null or t.task_id > ${page.after}::uuid)
    order by t.task_id limit ${page.rows}`
}

interface ChangedBy {
  readonly operator: string | null
  readonly causationId: string | null
}

export interface NewTask extends TaskKey, ChangedBy {
  readonly property: string
  readonly room: string
  readonly roomNumber: string
  readonly kind: string
  readonly priority: string
  readonly scheduledFor: IsoDate
  readonly reservation: string | null
  readonly source: string
}

/** No row: the room has an open task of this kind. */
export function insertTask(task: NewTask): Statement<{ task_id: string }> {
  return sql<{ task_id: string }>`
    with added as (
      insert into sandbox.housekeeping_task (tenant_id, task_id, property_id, room_id, room_number,
        kind, priority, scheduled_for, reservation_id, source)
      values (${task.tenant}::uuid, ${task.task}::uuid, ${task.property}::uuid,
        ${task.room}::uuid, ${task.roomNumber}, ${task.kind}, ${task.priority},
        ${task.scheduledFor}::date, ${task.reservation}::uuid, ${task.source})
      on conflict do nothing
      returning tenant_id, task_id, version, status)
    insert into sandbox.housekeeping_task_history
      (tenant_id, task_id, version, status, operator_id, causation_id)
    select tenant_id, task_id, version, status, ${task.operator}::uuid, ${task.causationId}
    from added
    returning task_id`
}

export interface TaskMove extends TaskKey, ChangedBy {
  readonly to: TaskStatus
}

/** Requires the lock of `lockTask`. */
export function moveTask(move: TaskMove): Statement<unknown> {
  const { to, operator } = move
  return sql`
    with moved as (
      update sandbox.housekeeping_task t
      set status = ${to}, version = t.version + 1, updated_at = clock_timestamp(),
        operator_id = case when ${to} = 'in_progress' then coalesce(${operator}::uuid,
          t.operator_id) else t.operator_id end,
        started_at = case when ${to} = 'in_progress' then clock_timestamp()
          else t.started_at end,
        completed_at = case when ${to} = 'completed' then clock_timestamp()
          else t.completed_at end,
        inspected_at = case when ${to} = 'inspected' then clock_timestamp()
          else t.inspected_at end
      where t.tenant_id = ${move.tenant}::uuid and t.task_id = ${move.task}::uuid
      returning t.tenant_id, t.task_id, t.version, t.status)
    insert into sandbox.housekeeping_task_history
      (tenant_id, task_id, version, status, operator_id, causation_id)
    select tenant_id, task_id, version, status, ${operator}::uuid, ${move.causationId}
    from moved`
}

/** Requires the lock of the room. */
export function selectOpenTasks(tenant: string, room: string): Statement<TaskRow> {
  return sql<TaskRow>`
    select ${taskColumns} from sandbox.housekeeping_task t
    where t.tenant_id = ${tenant}::uuid and t.room_id = ${room}::uuid
      and t.status in ('pending', 'in_progress')
    order by t.task_id`
}
