import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'

/** A room of the demo world, with its task of the day if it has one, as one JSON object. */
export interface SeededRoom {
  readonly tenant_id: string
  readonly property_id: string
  readonly room_id: string
  readonly room_number: string
  readonly condition: string
  readonly flags: readonly string[]
  readonly occupied_by: string | null
  readonly occupied_on: string | null
  readonly task_id: string
  readonly kind: string | null
  readonly priority: string | null
  readonly status: string | null
}

const givenColumns = rawSql(`s (tenant_id uuid, property_id uuid, room_id uuid, room_number text,
  condition text, flags text[], occupied_by uuid, occupied_on date, task_id uuid, kind text,
  priority text, status text)`)

/**
 * A later day changes rooms whose guests come from the demo world, and vacant ones; a room that
 * staff has given to other guests stays theirs.
 */
export function seedRooms(rooms: readonly SeededRoom[], day: IsoDate): Statement<unknown> {
  return sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rooms)}::json) as ${givenColumns}),
    seeded as (
      insert into sandbox.housekeeping_room as r (tenant_id, room_id, property_id, condition,
        occupied_by, occupied_on, flags, seeded_on)
      select tenant_id, room_id, property_id, condition, occupied_by, occupied_on, flags,
        ${day}::date
      from given
      on conflict (tenant_id, room_id) do update
      set condition = excluded.condition, occupied_by = excluded.occupied_by,
        occupied_on = excluded.occupied_on, seeded_on = excluded.seeded_on, discrepancy = false,
        flags = excluded.flags, version = r.version + 1, updated_at = clock_timestamp()
      where r.seeded_on < excluded.seeded_on or (r.seeded_on is null and r.occupied_by is null)
      returning r.tenant_id, r.room_id, r.version, r.condition)
    insert into sandbox.housekeeping_room_history (tenant_id, room_id, version, status)
    select tenant_id, room_id, version, condition from seeded`
}

/** Tasks of the demo world that were not done on their day count as done at its end. */
export function closeSeededTasks(day: IsoDate): Statement<unknown> {
  return sql`
    with closed as (
      update sandbox.housekeeping_task t
      set status = 'completed', version = t.version + 1, completed_at = clock_timestamp(),
        updated_at = clock_timestamp()
      where t.source = 'scheduler' and t.scheduled_for < ${day}::date
        and t.status in ('pending', 'in_progress')
      returning t.tenant_id, t.task_id, t.version, t.status)
    insert into sandbox.housekeeping_task_history (tenant_id, task_id, version, status)
    select tenant_id, task_id, version, status from closed`
}

/** After `seedRooms`. A room with an open task of this kind gets no second one. */
export function seedTasks(rooms: readonly SeededRoom[], day: IsoDate): Statement<unknown> {
  return sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rooms)}::json) as ${givenColumns}),
    added as (
      insert into sandbox.housekeeping_task (tenant_id, task_id, property_id, room_id, room_number,
        kind, priority, status, scheduled_for, reservation_id, source, started_at, completed_at)
      select g.tenant_id, g.task_id, g.property_id, g.room_id, g.room_number, g.kind, g.priority,
        g.status, ${day}::date, g.occupied_by, 'scheduler',
        case when g.status <> 'pending' then clock_timestamp() end,
        case when g.status = 'completed' then clock_timestamp() end
      from given g join sandbox.housekeeping_room r using (tenant_id, room_id)
      where g.kind is not null and r.seeded_on = ${day}::date
      on conflict do nothing
      returning tenant_id, task_id, version, status)
    insert into sandbox.housekeeping_task_history (tenant_id, task_id, version, status)
    select tenant_id, task_id, version, status from added`
}
