import { type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'

export interface FreeNightsRow {
  property_id: string
  /** Of a night that nothing is known of. */
  rooms_total: number
  /** Nights of which something is known, as days after the first. */
  days: number[]
  /** In those nights: how many rooms more, or with a minus fewer, are free. */
  differences: number[]
}

/** For many hotels of any tenants at once; `to` is excluded. */
export function selectFreeNights(
  properties: readonly string[],
  { from, to }: { from: IsoDate; to: IsoDate },
): Statement<FreeNightsRow> {
  return sql<FreeNightsRow>`
    with types as materialized (
      select tenant_id, room_type_id, property_id, capacity from sandbox.inventory_room_type
      where property_id = any (${properties}::uuid[])),
    nights as (
      select t.property_id, n.night - ${from}::date as day,
        sum(n.capacity - n.held - n.sold - t.capacity)::int as difference
      from types t join sandbox.inventory_night n using (tenant_id, room_type_id)
      where n.night >= ${from}::date and n.night < ${to}::date
      group by 1, 2),
    lists as (
      select property_id, array_agg(day) as days, array_agg(difference) as differences
      from nights where difference <> 0 group by 1)
    select property_id, rooms_total, coalesce(days, '{}') as days,
      coalesce(differences, '{}') as differences
    from (select property_id, sum(capacity)::int as rooms_total from types group by 1) totals
    left join lists using (property_id)`
}
