import { type Statement, sql } from '@melmastoon/chassis/db'

/**
 * By itself, before anything is decided: a statement that waits for the lock goes on with the rows
 * it saw before it waited, and would take a hold that was just sold for one that is still held.
 */
export function lockAllocation(tenant: string, allocation: string): Statement<unknown> {
  return sql`
    select 1 from sandbox.inventory_allocation
    where tenant_id = ${tenant}::uuid and allocation_id = ${allocation}::uuid
    for update`
}
