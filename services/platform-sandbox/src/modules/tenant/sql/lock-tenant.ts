import { type Statement, sql } from '@melmastoon/chassis/db'
import type { TenantRow } from '../tenant.ts'
import { tenantColumns } from './tenant-columns.ts'

/** Held to the end of the transaction: changes of one tenant, and their events, have one order. */
export function lockTenant(tenant: string): Statement<TenantRow> {
  return sql<TenantRow>`
    select ${tenantColumns} from sandbox.tenant_account t
    where t.tenant_id = ${tenant}::uuid for update of t`
}
