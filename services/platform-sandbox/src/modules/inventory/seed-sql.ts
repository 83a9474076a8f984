import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { channelSold } from './channel-sql.ts'

/** Columns of equal length, one array per parameter: thousands of rows in one statement. */
export interface RoomTypeColumns {
  readonly tenants: readonly string[]
  readonly properties: readonly string[]
  readonly roomTypes: readonly string[]
  readonly capacities: readonly number[]
  readonly timeZones: readonly string[]
  /** In the text format of arrays; null for a hotel that sells nothing elsewhere. */
  readonly channelSales: readonly (string | null)[]
}

/** Existing room types stay unchanged, except for the sales of other channels. */
export function seedRoomTypes(columns: RoomTypeColumns, channelFrom: string): Statement<unknown> {
  return sql`
    insert into sandbox.inventory_room_type as known (tenant_id, property_id, room_type_id,
      capacity, time_zone, channel_from, channel_sold)
    select r.tenant_id, r.property_id, r.room_type_id, r.capacity, r.time_zone,
      case when r.channel_sold is not null then ${channelFrom}::date end,
      r.channel_sold::smallint[]
    from unnest(${columns.tenants}::uuid[], ${columns.properties}::uuid[],
      ${columns.roomTypes}::uuid[], ${columns.capacities}::int[], ${columns.timeZones}::text[],
      ${columns.channelSales}::text[]) as r (tenant_id, property_id, room_type_id, capacity,
      time_zone, channel_sold)
    on conflict (tenant_id, room_type_id) do update
      set channel_from = excluded.channel_from, channel_sold = excluded.channel_sold
      where (known.channel_from, known.channel_sold)
        is distinct from (excluded.channel_from, excluded.channel_sold)`
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

/** Stays of the demo world, as columns of equal length. */
export interface StayColumns {
  readonly tenants: readonly string[]
  readonly reservations: readonly string[]
  readonly properties: readonly string[]
  readonly roomTypes: readonly string[]
  readonly rooms: readonly number[]
  readonly checkIns: readonly string[]
  readonly checkOuts: readonly string[]
  readonly bookedAt: readonly string[]
  /** `committed`, or `released` where the guest cancelled. */
  readonly states: readonly string[]
}

/**
 * Sells the rooms of new stays. An allocation has the bits of its reservation id. Rooms may have
 * been sold since an earlier seeding, so a stay in a night without enough capacity for all new
 * stays is omitted; all stays of a room type must therefore be passed together.
 */
export function seedAllocations(stays: StayColumns): Statement<unknown> {
  return sql`
    with given as materialized (${unknownStays(stays)}),
    requested as materialized (
      select g.tenant_id, g.room_type_id, g.check_in + d.day as night, sum(g.rooms)::int as rooms
      from given g cross join lateral generate_series(0, g.check_out - g.check_in - 1) as d (day)
      where g.state = 'committed' group by 1, 2, 3),
    full_nights as materialized (
      select a.tenant_id, a.room_type_id, a.night
      from requested a join sandbox.inventory_room_type t using (tenant_id, room_type_id)
      left join sandbox.inventory_night n using (tenant_id, room_type_id, night)
      where a.rooms + coalesce(n.held + n.sold, ${channelSold('t', 'a.night')})
        > coalesce(n.capacity, t.capacity)),
    fitting as materialized (
      select g.* from given g where g.state = 'released' or not exists (
        select from full_nights f
        where f.tenant_id = g.tenant_id and f.room_type_id = g.room_type_id
          and f.night >= g.check_in and f.night < g.check_out)),
    allocated as (
      insert into sandbox.inventory_allocation (tenant_id, allocation_id, property_id,
        reservation_id, holder, kept_by, state, check_in, check_out, created_at, expires_at,
        settled_at)
      select tenant_id, reservation_id, property_id, reservation_id, reservation_id::text,
        'reservation', state, check_in, check_out, booked_at, booked_at, booked_at
      from fitting),
    items as (
      insert into sandbox.inventory_allocation_item (tenant_id, allocation_id, room_type_id, rooms)
      select tenant_id, reservation_id, room_type_id, rooms from fitting)
    insert into sandbox.inventory_night as n (tenant_id, room_type_id, night, capacity, channel,
      sold)
    select w.tenant_id, w.room_type_id, w.night, t.capacity, c.rooms, w.rooms + c.rooms
    from (
      select f.tenant_id, f.room_type_id, f.check_in + d.day as night, sum(f.rooms)::int as rooms
      from fitting f
      cross join lateral generate_series(0, f.check_out - f.check_in - 1) as d (day)
      where f.state = 'committed' group by 1, 2, 3) w
    join sandbox.inventory_room_type t using (tenant_id, room_type_id)
    left join sandbox.inventory_night known using (tenant_id, room_type_id, night)
    cross join lateral (select case when known.capacity is null
      then ${channelSold('t', 'w.night')} else 0 end as rooms) c
    order by 1, 2, 3
    on conflict (tenant_id, room_type_id, night) do update
      set sold = n.sold + excluded.sold - excluded.channel`
}

function unknownStays(stays: StayColumns): SqlFragment {
  return sql`select s.* from unnest(${stays.tenants}::uuid[], ${stays.reservations}::uuid[],
      ${stays.properties}::uuid[], ${stays.roomTypes}::uuid[],
      ${stays.rooms}::int[], ${stays.checkIns}::date[], ${stays.checkOuts}::date[],
      ${stays.bookedAt}::timestamptz[], ${stays.states}::text[]) as s (tenant_id, reservation_id,
      property_id, room_type_id, rooms, check_in, check_out, booked_at, state)
    where not exists (
      select from sandbox.inventory_allocation a
      where a.tenant_id = s.tenant_id and a.allocation_id = s.reservation_id)`
}

/** Stays with an assigned room, as columns of equal length. */
export interface RoomStayColumns {
  readonly tenants: readonly string[]
  readonly allocations: readonly string[]
  readonly rooms: readonly string[]
  readonly roomTypes: readonly string[]
}

/**
 * Assigns rooms to guests of the demo world. Existing assignments, and guests whose assignment was
 * removed, stay unchanged.
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
