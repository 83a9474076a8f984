import { type Statement, sql } from '@melmastoon/chassis/db'
import type { TenantRow } from '../tenant.ts'
import { tenantColumns } from './tenant-columns.ts'

/** Only under the lock of `lockTenant`. */
export function updateTenantConfig(
  tenant: string,
  config: TenantRow['config'],
): Statement<TenantRow> {
  return sql<TenantRow>`
    update sandbox.tenant_account t
    set config = ${config}::jsonb, config_version = t.config_version + 1, updated_at = clock_timestamp()
    where t.tenant_id = ${tenant}::uuid returning ${tenantColumns}`
}

/** Only under the lock of `lockTenant`. */
export function updateTenantStatus(
  tenant: string,
  status: TenantRow['status'],
): Statement<TenantRow> {
  return sql<TenantRow>`
    update sandbox.tenant_account t set status = ${status}, updated_at = clock_timestamp()
    where t.tenant_id = ${tenant}::uuid returning ${tenantColumns}`
}
