import { type Statement, sql } from '@melmastoon/chassis/db'
import type { AllocationRow } from '../allocation.ts'
import { EXTENSIONS_MAX } from '../hold-terms.ts'
import { allocationColumns } from './allocation-columns.ts'
import type { SettleInput } from './settle-allocation.ts'

/** No row: it does not exist, is not active any more, or was extended often enough. */
export function extendAllocation(
  { tenant, allocation, keeper }: SettleInput,
  holdSeconds: number,
): Statement<AllocationRow> {
  return sql<AllocationRow>`
    with extended as (
      update sandbox.inventory_allocation a
      set extensions = a.extensions + 1,
        expires_at = clock_timestamp() + ${holdSeconds}::int * interval '1 second'
      where a.tenant_id = ${tenant}::uuid and a.allocation_id = ${allocation}::uuid
        and a.kept_by = ${keeper} and a.state = 'active' and a.expires_at > clock_timestamp()
        and a.extensions < ${EXTENSIONS_MAX}
      returning a.*)
    select ${allocationColumns} from extended a`
}
