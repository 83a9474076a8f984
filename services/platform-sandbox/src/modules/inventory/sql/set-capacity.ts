import { type Statement, sql } from '@melmastoon/chassis/db'
import { nightsOf, type StayDates } from '@melmastoon/domain'

/**
 * Ascending, as holds go. `ck_inventory_night_capacity` fails what is below the promises. Returns
 * whose rooms they are, nothing for an unknown room type.
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
