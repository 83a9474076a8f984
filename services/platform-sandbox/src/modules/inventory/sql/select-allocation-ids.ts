import { type Statement, sql } from '@melmastoon/chassis/db'

/** Which of these allocations exist. */
export function selectAllocationIds(
  tenants: readonly string[],
  allocations: readonly string[],
): Statement<{ allocation_id: string }> {
  return sql<{ allocation_id: string }>`
    select a.allocation_id
    from unnest(${tenants}::uuid[], ${allocations}::uuid[]) as w (tenant_id, allocation_id)
    join sandbox.inventory_allocation a using (tenant_id, allocation_id)`
}
