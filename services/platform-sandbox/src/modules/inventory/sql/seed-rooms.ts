import { type Statement, sql } from '@melmastoon/chassis/db'

/** Columns of equal length, one array per parameter: thousands of rows in one statement. */
export interface RoomTypeColumns {
  readonly tenants: readonly string[]
  readonly properties: readonly string[]
  readonly roomTypes: readonly string[]
  readonly capacities: readonly number[]
  readonly timeZones: readonly string[]
}

export function seedRoomTypes(columns: RoomTypeColumns): Statement<unknown> {
  return sql`
    insert into sandbox.inventory_room_type (tenant_id, property_id, room_type_id, capacity,
      time_zone)
    select * from unnest(${columns.tenants}::uuid[], ${columns.properties}::uuid[],
      ${columns.roomTypes}::uuid[], ${columns.capacities}::int[], ${columns.timeZones}::text[])
    on conflict do nothing`
}

export interface RoomColumns {
  readonly tenants: readonly string[]
  readonly roomTypes: readonly string[]
  readonly rooms: readonly string[]
}

export function seedRooms(columns: RoomColumns): Statement<unknown> {
  return sql`
    insert into sandbox.inventory_room (tenant_id, room_type_id, room_id)
    select * from unnest(${columns.tenants}::uuid[], ${columns.roomTypes}::uuid[],
      ${columns.rooms}::uuid[])
    on conflict do nothing`
}
