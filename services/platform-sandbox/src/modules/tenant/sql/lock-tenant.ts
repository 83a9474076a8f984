import { type Statement, sql } from '@melmastoon/chassis/db'

/**
 * Held to the end of the transaction: changes of one tenant, and their events, have one order. What
 * it holds is read by a statement of its own afterwards: this one, having waited, would still see
 * the domains of before.
 */
export function lockTenant(tenant: string): Statement<{ tenant_id: string }> {
  return sql<{ tenant_id: string }>`
    select tenant_id from sandbox.tenant_account where tenant_id = ${tenant}::uuid for update`
}
