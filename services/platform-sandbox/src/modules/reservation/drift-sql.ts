import { type Statement, sql } from '@melmastoon/chassis/db'
import { allocationFacts, inventoryDrift } from '../inventory/module.ts'

export interface DriftRow {
  kind: 'night' | 'reservation' | 'allocation'
  tenant_id: string
  subject_id: string
  night: string | null
  expected: string
  found: string
}

/**
 * All inventory mismatches, in one statement and so in one snapshot: nights whose counters differ
 * from the sum of their allocations, reservations whose allocations are in another state, and rooms
 * allocated to an unknown reservation.
 */
export function findDrift(): Statement<DriftRow> {
  return sql<DriftRow>`
    with facts as materialized (${allocationFacts()})
    ${inventoryDrift()}
    union all
    select 'reservation', r.tenant_id, r.reservation_id, null, e.state,
      coalesce(f.state, 'no rooms')
    from sandbox.reservation_booking r
    left join facts f on f.tenant_id = r.tenant_id and f.allocation_id = r.allocation_id
    -- A reservation may be cancelled after its hold has expired.
    cross join lateral (select case r.status when 'held' then 'active'
      when 'cancelled' then case f.state when 'expired' then 'expired' else 'released' end
      when 'expired_hold' then 'expired' else 'committed' end as state) e
    where f.state is distinct from e.state or f.reservation_id is distinct from r.reservation_id
      or (r.status = 'held' and r.hold_expires_at <> date_trunc('milliseconds', f.expires_at))
    union all
    select 'allocation', f.tenant_id, f.allocation_id, null, 'a reservation', f.state
    from facts f
    where f.state in ('active', 'committed') and not exists (
      select from sandbox.reservation_booking r
      where r.tenant_id = f.tenant_id and r.allocation_id = f.allocation_id)`
}
