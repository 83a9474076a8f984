import { type Statement, sql } from '@melmastoon/chassis/db'

/** Stays that have a room of the house, as columns of equal length. */
export interface RoomStayColumns {
  readonly tenants: readonly string[]
  readonly allocations: readonly string[]
  readonly rooms: readonly string[]
  readonly roomTypes: readonly string[]
}

/**
 * Puts guests of the demo world into their rooms. Whoever was given a room at the desk, or gave one
 * up, is left alone, and so is a room that somebody else was given.
 */
export function seedRoomStays(stays: RoomStayColumns): Statement<unknown> {
  return sql`
    insert into sandbox.inventory_room_stay (tenant_id, allocation_id, room_id, room_type_id, stay)
    select a.tenant_id, a.allocation_id, w.room_id, w.room_type_id,
      daterange(a.check_in, a.check_out, '[)')
    from unnest(${stays.tenants}::uuid[], ${stays.allocations}::uuid[], ${stays.rooms}::uuid[],
      ${stays.roomTypes}::uuid[]) as w (tenant_id, allocation_id, room_id, room_type_id)
    join sandbox.inventory_allocation a using (tenant_id, allocation_id)
    where a.state = 'committed' and not exists (
      select from sandbox.inventory_room_stay s
      where s.tenant_id = a.tenant_id and s.allocation_id = a.allocation_id)
    on conflict do nothing`
}
