import { type SqlFragment, sql } from '@melmastoon/chassis/db'

/** One row per mismatch; a consistent database has none. */
export interface DriftRow {
  kind: 'night' | 'reservation' | 'allocation'
  tenant_id: string
  /** The room type, the reservation or the allocation. */
  subject_id: string
  night: string | null
  expected: string
  found: string
}

/**
 * Nights whose counters differ from the sum of their held and sold rooms; those of other channels
 * have no allocations.
 */
export function inventoryDrift(): SqlFragment<DriftRow> {
  return sql<DriftRow>`
    select 'night' as kind, tenant_id, room_type_id as subject_id, night::text as night,
      coalesce(p.held, 0) || '+' || coalesce(p.sold, 0) + coalesce(n.channel, 0) as expected,
      coalesce(n.held, 0) || '+' || coalesce(n.sold, 0) || ' of ' || coalesce(n.capacity, -1)
        as found
    from (
      select a.tenant_id, i.room_type_id, a.check_in + d.day as night,
        coalesce(sum(i.rooms) filter (where a.state = 'active'), 0) as held,
        coalesce(sum(i.rooms) filter (where a.state = 'committed'), 0) as sold
      from sandbox.inventory_allocation a
      join sandbox.inventory_allocation_item i using (tenant_id, allocation_id)
      cross join lateral generate_series(0, a.check_out - a.check_in - 1) as d (day)
      where a.state in ('active', 'committed')
      group by 1, 2, 3) p
    full join sandbox.inventory_night n using (tenant_id, room_type_id, night)
    where (coalesce(p.held, 0), coalesce(p.sold, 0) + coalesce(n.channel, 0))
        is distinct from (coalesce(n.held, 0)::bigint, coalesce(n.sold, 0)::bigint)
      or n.held + n.sold > n.capacity`
}

/** The facts about allocations that other modules may compare with their own data. */
export function allocationFacts(): SqlFragment {
  return sql`select a.tenant_id, a.allocation_id, a.reservation_id, a.state, a.expires_at
    from sandbox.inventory_allocation a where a.kept_by = 'reservation'`
}
