import { rawSql, type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import type { AllocationOwner, AllocationRow } from './allocation.ts'
import { EXTENSIONS_MAX } from './hold-terms.ts'

/** The columns of allocation `a`, with its items in the order of their ids. */
export const allocationColumns = rawSql(`a.tenant_id, a.allocation_id, a.property_id,
  a.reservation_id, a.holder, a.kept_by, a.state, a.check_in, a.check_out, a.created_at,
  a.expires_at, a.extensions,
  (select json_agg(json_build_object('room_type_id', i.room_type_id, 'rooms', i.rooms)
      order by i.room_type_id)
    from sandbox.inventory_allocation_item i
    where i.tenant_id = a.tenant_id and i.allocation_id = a.allocation_id) as items`)

/**
 * A separate statement before any decision: a statement that waits for the lock continues with the
 * rows it saw before, and would treat a hold that was just sold as still held.
 */
export function lockAllocation(tenant: string, allocation: string): Statement<unknown> {
  return sql`
    select 1 from sandbox.inventory_allocation
    where tenant_id = ${tenant}::uuid and allocation_id = ${allocation}::uuid
    for update`
}

/** `is_expired`: still active, but past its expiry. */
export type SelectedAllocation = AllocationRow & { is_expired: boolean }

export function selectAllocation(
  tenant: string,
  allocation: string,
): Statement<SelectedAllocation> {
  return sql<SelectedAllocation>`
    select ${allocationColumns},
      a.state = 'active' and a.expires_at <= clock_timestamp() as is_expired
    from sandbox.inventory_allocation a
    where a.tenant_id = ${tenant}::uuid and a.allocation_id = ${allocation}::uuid`
}

/** The ids of these allocations that exist. */
export function selectAllocationIds(
  tenants: readonly string[],
  allocations: readonly string[],
): Statement<{ allocation_id: string }> {
  return sql<{ allocation_id: string }>`
    select a.allocation_id
    from unnest(${tenants}::uuid[], ${allocations}::uuid[]) as w (tenant_id, allocation_id)
    join sandbox.inventory_allocation a using (tenant_id, allocation_id)`
}

/** No row: it does not exist, is no longer active, or has reached the maximum of extensions. */
export function extendAllocation(
  { tenant, allocation, owner }: SettleInput,
  holdSeconds: number,
): Statement<AllocationRow> {
  return sql<AllocationRow>`
    with extended as (
      update sandbox.inventory_allocation a
      set extensions = a.extensions + 1,
        expires_at = clock_timestamp() + ${holdSeconds}::int * interval '1 second'
      where a.tenant_id = ${tenant}::uuid and a.allocation_id = ${allocation}::uuid
        and a.kept_by = ${owner} and a.state = 'active' and a.expires_at > clock_timestamp()
        and a.extensions < ${EXTENSIONS_MAX}
      returning a.*)
    select ${allocationColumns} from extended a`
}

/** An active hold expires now. No row: it is no longer active. */
export function endAllocation({
  tenant,
  allocation,
  owner,
}: SettleInput): Statement<AllocationRow> {
  return sql<AllocationRow>`
    with ended as (
      update sandbox.inventory_allocation a set expires_at = clock_timestamp()
      where a.tenant_id = ${tenant}::uuid and a.allocation_id = ${allocation}::uuid
        and a.kept_by = ${owner} and a.state = 'active' and a.expires_at > clock_timestamp()
      returning a.*)
    select ${allocationColumns} from ended a`
}

export interface SettleInput {
  readonly tenant: string
  readonly allocation: string
  readonly owner: AllocationOwner
}

/**
 * Compare and set: only an active hold that has not expired is sold. The clock is read when the row
 * is locked, not when the transaction began, so that a hold that expired during the wait is not
 * sold. No row: it was not sold.
 */
export function commitAllocation(input: SettleInput): Statement<AllocationRow> {
  return settle({
    input,
    from: sql`a.state = 'active' and a.expires_at > clock_timestamp()`,
    to: 'committed',
  })
}

/** Releases held or sold rooms, and also those of an expired hold. */
export function releaseAllocation(input: SettleInput): Statement<AllocationRow> {
  return settle({ input, from: sql`a.state in ('active', 'committed')`, to: 'released' })
}

interface Move {
  readonly input: SettleInput
  readonly from: SqlFragment
  readonly to: 'committed' | 'released'
}

/** The row first, then its nights in ascending order, as in every statement. */
function settle({ input, from, to }: Move): Statement<AllocationRow> {
  return sql<AllocationRow>`
    with before as materialized (
      select a.tenant_id, a.allocation_id, a.state from sandbox.inventory_allocation a
      where a.tenant_id = ${input.tenant}::uuid and a.allocation_id = ${input.allocation}::uuid
        and a.kept_by = ${input.owner} and ${from}
      for update),
    moved as (
      update sandbox.inventory_allocation a
      set state = ${to}, settled_at = clock_timestamp()
      from before b where a.tenant_id = b.tenant_id and a.allocation_id = b.allocation_id
      returning a.*),
    nights as materialized (
      select n.tenant_id, n.room_type_id, n.night, i.rooms, b.state
      from moved m
      join before b using (tenant_id, allocation_id)
      join sandbox.inventory_allocation_item i using (tenant_id, allocation_id)
      join sandbox.inventory_night n on n.tenant_id = i.tenant_id
        and n.room_type_id = i.room_type_id and n.night >= m.check_in and n.night < m.check_out
      order by n.room_type_id, n.night
      for update of n),
    counted as (
      update sandbox.inventory_night n
      set held = n.held - case l.state when 'active' then l.rooms else 0 end,
        sold = n.sold - case l.state when 'active' then 0 else l.rooms end
          + case ${to}::text when 'committed' then l.rooms else 0 end
      from nights l
      where n.tenant_id = l.tenant_id and n.room_type_id = l.room_type_id and n.night = l.night),
    vacated as (
      update sandbox.inventory_room_stay s set state = 'released'
      from moved m
      where s.tenant_id = m.tenant_id and s.allocation_id = m.allocation_id
        and m.state = 'released')
    select ${allocationColumns} from moved a`
}

/** The sales of the last day, of any tenant, oldest first, in the text format of arrays. */
export function selectRecentSales(): Statement<{ property_id: string; sold_at: string }> {
  return sql<{ property_id: string; sold_at: string }>`
    select property_id, array_agg(settled_at order by settled_at)::text as sold_at
    from sandbox.inventory_allocation
    where state = 'committed' and settled_at > now() - interval '24 hours' group by property_id`
}
