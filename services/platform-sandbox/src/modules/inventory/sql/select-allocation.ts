import { type Statement, sql } from '@melmastoon/chassis/db'
import type { AllocationRow } from '../allocation.ts'
import { allocationColumns } from './allocation-columns.ts'

/** `is_lapsed`: still active, but its time is over. */
export type SelectedAllocation = AllocationRow & { is_lapsed: boolean }

export function selectAllocation(
  tenant: string,
  allocation: string,
): Statement<SelectedAllocation> {
  return sql<SelectedAllocation>`
    select ${allocationColumns},
      a.state = 'active' and a.expires_at <= clock_timestamp() as is_lapsed
    from sandbox.inventory_allocation a
    where a.tenant_id = ${tenant}::uuid and a.allocation_id = ${allocation}::uuid`
}
