import { type Statement, sql } from '@melmastoon/chassis/db'
import type { TenantRow } from '../tenant.ts'
import { tenantColumns } from './tenant-columns.ts'

export function findTenantById(tenant: string): Statement<TenantRow> {
  return sql<TenantRow>`
    select ${tenantColumns} from sandbox.tenant_account t where t.tenant_id = ${tenant}::uuid`
}

export function findTenantStatus(tenant: string): Statement<Pick<TenantRow, 'status'>> {
  return sql<Pick<TenantRow, 'status'>>`
    select status from sandbox.tenant_account where tenant_id = ${tenant}::uuid`
}

export function findTenantBySlug(slug: string): Statement<TenantRow> {
  return sql<TenantRow>`
    select ${tenantColumns} from sandbox.tenant_account t where t.slug = ${slug}`
}

export function findTenantByDomain(domain: string): Statement<TenantRow> {
  return sql<TenantRow>`
    select ${tenantColumns} from sandbox.tenant_domain o
    join sandbox.tenant_account t on t.tenant_id = o.tenant_id
    where o.domain = ${domain}`
}
