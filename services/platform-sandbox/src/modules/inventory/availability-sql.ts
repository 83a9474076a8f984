import { type Statement, sql } from '@melmastoon/chassis/db'
import { type IsoDate, nightsOf, type StayDates } from '@melmastoon/domain'

export interface AvailabilityRow {
  room_type_id: string
  night: IsoDate
  capacity: number
  held: number
  sold: number
  captured_at: Date
}

/** Expired holds count as available: a request for their rooms succeeds. */
export function selectAvailability(
  tenant: string,
  property: string,
  span: StayDates,
): Statement<AvailabilityRow> {
  return sql<AvailabilityRow>`
    with types as materialized (
      select t.room_type_id, t.capacity from sandbox.inventory_room_type t
      where t.tenant_id = ${tenant}::uuid and t.property_id = ${property}::uuid),
    ended as materialized (
      select a.allocation_id, a.check_in, a.check_out from sandbox.inventory_allocation a
      where a.tenant_id = ${tenant}::uuid and a.property_id = ${property}::uuid
        and a.state = 'active' and a.expires_at <= statement_timestamp())
    select t.room_type_id, w.night, coalesce(n.capacity, t.capacity) as capacity,
      coalesce(n.held, 0) - coalesce(l.rooms, 0)::int as held, coalesce(n.sold, 0) as sold,
      statement_timestamp() as captured_at
    from types t cross join unnest(${nightsOf(span)}::date[]) as w (night)
    left join sandbox.inventory_night n on n.tenant_id = ${tenant}::uuid
      and n.room_type_id = t.room_type_id and n.night = w.night
    left join lateral (
      select sum(i.rooms) as rooms
      from ended a join sandbox.inventory_allocation_item i
        on i.tenant_id = ${tenant}::uuid and i.allocation_id = a.allocation_id
      where i.room_type_id = t.room_type_id
        and w.night >= a.check_in and w.night < a.check_out) l on true
    order by t.room_type_id, w.night`
}

export interface FreeNightsRow {
  property_id: string
  room_type_id: string
  /** The capacity of a night without a row. */
  rooms_total: number
  /** Nights that differ from it, as days after the first. */
  days: number[]
  /** Per such night: the difference of the available rooms to the total. */
  differences: number[]
}

/** The room types of many hotels of any tenant at once, in order; `to` is excluded. */
export function selectFreeNights(
  properties: readonly string[],
  { from, to }: { from: IsoDate; to: IsoDate },
): Statement<FreeNightsRow> {
  return sql<FreeNightsRow>`
    with types as materialized (
      select tenant_id, room_type_id, property_id, capacity from sandbox.inventory_room_type
      where property_id = any (${properties}::uuid[])),
    lists as (
      select t.room_type_id, array_agg(n.night - ${from}::date) as days,
        array_agg(n.capacity - n.held - n.sold - t.capacity) as differences
      from types t join sandbox.inventory_night n using (tenant_id, room_type_id)
      where n.night >= ${from}::date and n.night < ${to}::date
        and n.capacity - n.held - n.sold <> t.capacity
      group by 1)
    select t.property_id, t.room_type_id, t.capacity as rooms_total,
      coalesce(l.days, '{}') as days, coalesce(l.differences, '{}') as differences
    from types t left join lists l using (room_type_id)
    order by t.property_id, t.room_type_id`
}

/**
 * Ascending, as holds do. `ck_inventory_night_capacity` rejects a capacity below the rooms held and
 * sold. Returns the property; no row for an unknown room type.
 */
export function setCapacity(
  { tenant, roomType, capacity }: { tenant: string; roomType: string; capacity: number },
  span: StayDates,
): Statement<{ property_id: string }> {
  return sql<{ property_id: string }>`
    with changed as (
      insert into sandbox.inventory_night as n (tenant_id, room_type_id, night, capacity)
      select t.tenant_id, t.room_type_id, w.night, ${capacity}::int
      from sandbox.inventory_room_type t cross join unnest(${nightsOf(span)}::date[]) as w (night)
      where t.tenant_id = ${tenant}::uuid and t.room_type_id = ${roomType}::uuid
      order by w.night
      on conflict (tenant_id, room_type_id, night) do update set capacity = excluded.capacity
      returning n.tenant_id, n.room_type_id)
    select distinct t.property_id
    from changed join sandbox.inventory_room_type t using (tenant_id, room_type_id)`
}
