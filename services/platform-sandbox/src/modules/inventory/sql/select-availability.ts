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

/** Holds whose time is over count as free already: whoever asks for their rooms gets them. */
export function selectAvailability(
  tenant: string,
  property: string,
  span: StayDates,
): Statement<AvailabilityRow> {
  return sql<AvailabilityRow>`
    with types as materialized (
      select t.room_type_id, t.capacity from sandbox.inventory_room_type t
      where t.tenant_id = ${tenant}::uuid and t.property_id = ${property}::uuid),
    lapsed as materialized (
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
      from lapsed a join sandbox.inventory_allocation_item i
        on i.tenant_id = ${tenant}::uuid and i.allocation_id = a.allocation_id
      where i.room_type_id = t.room_type_id
        and w.night >= a.check_in and w.night < a.check_out) l on true
    order by t.room_type_id, w.night`
}
