import { type Statement, sql } from '@melmastoon/chassis/db'
import { type IsoDate, nightsOf, type StayDates } from '@melmastoon/domain'
import { channelSold } from './channel-sql.ts'

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
      select t.room_type_id, t.capacity, t.channel_from, t.channel_sold
      from sandbox.inventory_room_type t
      where t.tenant_id = ${tenant}::uuid and t.property_id = ${property}::uuid),
    ended as materialized (
      select a.allocation_id, a.check_in, a.check_out from sandbox.inventory_allocation a
      where a.tenant_id = ${tenant}::uuid and a.property_id = ${property}::uuid
        and a.state = 'active' and a.expires_at <= statement_timestamp())
    select t.room_type_id, w.night, coalesce(n.capacity, t.capacity) as capacity,
      coalesce(n.held, 0) - coalesce(l.rooms, 0)::int as held,
      coalesce(n.sold, ${channelSold('t', 'w.night')}) as sold,
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
  capacity: number
  /** The rooms sold by other channels from a night on, where a night has no row. */
  channel_from: IsoDate | null
  channel_sold: string | null
  /** Nights with a row, as days after the first. */
  days: number[] | null
  /** Per such night: the available rooms. */
  rooms_left: number[] | null
}

/** The room types of many hotels of any tenant at once, in order; `to` is excluded. */
export function selectFreeNights(
  properties: readonly string[],
  { from, to }: { from: IsoDate; to: IsoDate },
): Statement<FreeNightsRow> {
  return sql<FreeNightsRow>`
    select t.property_id, t.room_type_id, t.capacity, t.channel_from,
      t.channel_sold::text as channel_sold, n.days, n.rooms_left
    from sandbox.inventory_room_type t cross join lateral (
      select array_agg(n.night - ${from}::date) as days,
        array_agg(n.capacity - n.held - n.sold) as rooms_left
      from sandbox.inventory_night n
      where n.tenant_id = t.tenant_id and n.room_type_id = t.room_type_id
        and n.night >= ${from}::date and n.night < ${to}::date) n
    where t.property_id = any (${properties}::uuid[])
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
      insert into sandbox.inventory_night as n (tenant_id, room_type_id, night, capacity, channel,
        sold)
      select t.tenant_id, t.room_type_id, w.night, ${capacity}::int, c.rooms, c.rooms
      from sandbox.inventory_room_type t cross join unnest(${nightsOf(span)}::date[]) as w (night)
      left join sandbox.inventory_night known on known.tenant_id = t.tenant_id
        and known.room_type_id = t.room_type_id and known.night = w.night
      cross join lateral (select case when known.night is null
        then ${channelSold('t', 'w.night')} else 0 end as rooms) c
      where t.tenant_id = ${tenant}::uuid and t.room_type_id = ${roomType}::uuid
      order by w.night
      on conflict (tenant_id, room_type_id, night) do update set capacity = excluded.capacity
      returning n.tenant_id, n.room_type_id)
    select distinct t.property_id
    from changed join sandbox.inventory_room_type t using (tenant_id, room_type_id)`
}
