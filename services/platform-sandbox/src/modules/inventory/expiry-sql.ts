import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'
import type { AllocationRow } from './allocation.ts'
import { allocationColumns } from './allocation-sql.ts'

/** A request, as far as other holds can block it. */
export interface Blockers {
  readonly tenant: string
  readonly roomTypes: readonly string[]
  readonly checkIn: IsoDate
  readonly checkOut: IsoDate
  readonly holder: string | null
  readonly session: string | null
  readonly allocation: string | null
}

/**
 * Whether allocation `a` is an expired hold that blocks the request. The time is that of the
 * statement, which an index can use; a hold that expires a moment later is found by the next
 * attempt.
 */
export function isExpiredBlocker(blockers: Blockers): SqlFragment {
  return sql`a.tenant_id = ${blockers.tenant}::uuid and a.state = 'active'
    and a.expires_at <= statement_timestamp()
    and (a.holder = ${blockers.holder}::text or a.session = ${blockers.session}::text
      or a.allocation_id = ${blockers.allocation}::uuid
      or (a.check_in < ${blockers.checkOut}::date and a.check_out > ${blockers.checkIn}::date
        and exists (
          select from sandbox.inventory_allocation_item i
          where i.tenant_id = a.tenant_id and i.allocation_id = a.allocation_id
            and i.room_type_id = any (${blockers.roomTypes}::uuid[]))))`
}

/** Rows locked by another sweeper or a confirmation are skipped (HOLD-08). */
export function dueAnywhere(limit: number): SqlFragment {
  return sql`select a.tenant_id, a.allocation_id from sandbox.inventory_allocation a
    where a.state = 'active' and a.expires_at <= statement_timestamp()
    order by a.expires_at limit ${limit} for update skip locked`
}

/**
 * Waits for concurrent transactions on these holds: afterwards the rooms are available either way.
 */
export function dueBlockers(blockers: Blockers, limit: number): SqlFragment {
  return sql`select a.tenant_id, a.allocation_id from sandbox.inventory_allocation a
    where ${isExpiredBlocker(blockers)}
    order by a.allocation_id limit ${limit} for update`
}

/** Expires the holds that `due` has locked and releases their rooms. */
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
