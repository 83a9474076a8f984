import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'

export interface AssignInput {
  readonly tenant: string
  readonly allocation: string
  readonly room: string
}

export interface LockedAllocation {
  state: string
  check_in: IsoDate
  check_out: IsoDate
}

/** Serializes room assignments of an allocation; the assignments are read afterwards. */
export function lockAllocation(input: AssignInput): Statement<LockedAllocation> {
  return sql<LockedAllocation>`
    select a.state, a.check_in, a.check_out from sandbox.inventory_allocation a
    where a.tenant_id = ${input.tenant}::uuid and a.allocation_id = ${input.allocation}::uuid
    for update`
}

export interface AssignmentRow {
  /** Rooms of this type in the allocation. */
  rooms: number
  assigned: number
  is_assigned: boolean
}

/** No row: the hotel has no such room, or the allocation does not include its type. */
export function selectAssignment(input: AssignInput): Statement<AssignmentRow> {
  return sql<AssignmentRow>`
    select i.rooms, count(s.room_id)::int as assigned,
      coalesce(bool_or(s.room_id = r.room_id), false) as is_assigned
    from sandbox.inventory_room r
    join sandbox.inventory_allocation_item i on i.tenant_id = r.tenant_id
      and i.allocation_id = ${input.allocation}::uuid and i.room_type_id = r.room_type_id
    left join sandbox.inventory_room_stay s on s.tenant_id = r.tenant_id
      and s.allocation_id = i.allocation_id and s.room_type_id = r.room_type_id
      and s.state = 'assigned'
    where r.tenant_id = ${input.tenant}::uuid and r.room_id = ${input.room}::uuid
    group by i.rooms`
}

/**
 * No row: `ex_inventory_room_stay` shows the room as taken in some of these nights. DO NOTHING also
 * prevents deadlocks between two such inserts, which are possible under an exclusion constraint.
 */
export function insertRoomStay(input: AssignInput): Statement<{ room_id: string }> {
  return sql<{ room_id: string }>`
    insert into sandbox.inventory_room_stay (tenant_id, allocation_id, room_id, room_type_id, stay)
    select a.tenant_id, a.allocation_id, r.room_id, r.room_type_id,
      daterange(a.check_in, a.check_out, '[)')
    from sandbox.inventory_allocation a join sandbox.inventory_room r using (tenant_id)
    where a.tenant_id = ${input.tenant}::uuid and a.allocation_id = ${input.allocation}::uuid
      and r.room_id = ${input.room}::uuid
    on conflict do nothing
    returning room_id`
}

export interface RoomStayRow {
  room_id: string
  check_in: IsoDate
  check_out: IsoDate
}

/** The assigned stays of these rooms that begin, continue or end on this day. */
export function selectRoomStaysOn(
  tenant: string,
  rooms: readonly string[],
  day: IsoDate,
): Statement<RoomStayRow> {
  return sql<RoomStayRow>`
    select room_id, lower(stay) as check_in, upper(stay) as check_out
    from sandbox.inventory_room_stay
    where tenant_id = ${tenant}::uuid and room_id = any (${rooms}::uuid[])
      and state = 'assigned' and stay && daterange(${day}::date - 1, ${day}::date, '[]')`
}
