import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import type { AllocationRow } from '../allocation.ts'
import { allocationColumns } from './allocation-columns.ts'
import { type Blockers, isExpiredBlocker } from './expired-blockers.ts'

/** What another sweeper or a confirmation is working on is left to it (HOLD-08). */
export function dueAnywhere(limit: number): SqlFragment {
  return sql`select a.tenant_id, a.allocation_id from sandbox.inventory_allocation a
    where a.state = 'active' and a.expires_at <= statement_timestamp()
    order by a.expires_at limit ${limit} for update skip locked`
}

/** Waits for whoever works on them: afterwards the rooms are free, by his hand or by this one. */
export function dueBlockers(blockers: Blockers, limit: number): SqlFragment {
  return sql`select a.tenant_id, a.allocation_id from sandbox.inventory_allocation a
    where ${isExpiredBlocker(blockers)}
    order by a.allocation_id limit ${limit} for update`
}

/** Ends the holds that `due` has locked and gives their rooms back. */
export function expireAllocations(due: SqlFragment): Statement<AllocationRow> {
  return sql<AllocationRow>`
    with due as materialized (${due}),
    expired as (
      update sandbox.inventory_allocation a
      set state = 'expired', settled_at = clock_timestamp()
      from due d where a.tenant_id = d.tenant_id and a.allocation_id = d.allocation_id
      returning a.*),
    freed as materialized (
      select n.tenant_id, n.room_type_id, n.night, sum(i.rooms) as rooms
      from expired e
      join sandbox.inventory_allocation_item i using (tenant_id, allocation_id)
      join sandbox.inventory_night n on n.tenant_id = i.tenant_id
        and n.room_type_id = i.room_type_id and n.night >= e.check_in and n.night < e.check_out
      group by n.tenant_id, n.room_type_id, n.night),
    nights as materialized (
      select n.tenant_id, n.room_type_id, n.night, f.rooms
      from freed f join sandbox.inventory_night n using (tenant_id, room_type_id, night)
      order by n.tenant_id, n.room_type_id, n.night
      for update of n),
    counted as (
      update sandbox.inventory_night n set held = n.held - l.rooms
      from nights l
      where n.tenant_id = l.tenant_id and n.room_type_id = l.room_type_id and n.night = l.night)
    select ${allocationColumns} from expired a order by a.tenant_id, a.allocation_id`
}
