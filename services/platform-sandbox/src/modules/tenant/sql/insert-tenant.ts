import { type Statement, sql } from '@melmastoon/chassis/db'
import type { TenantRow } from '../tenant.ts'
import { tenantColumns } from './tenant-columns.ts'

export interface NewTenantRow {
  readonly tenant_id: string
  readonly slug: string
  readonly legal_name: string
  readonly display_name: TenantRow['display_name']
  readonly country: string
  readonly region: string
  readonly config: TenantRow['config']
  readonly search_text: string
}

/** No row when the slug is taken. */
export function insertTenant(tenant: NewTenantRow): Statement<TenantRow> {
  return sql<TenantRow>`
    insert into sandbox.tenant_account as t
      (tenant_id, slug, legal_name, display_name, country, region, config, search_text)
    values (${tenant.tenant_id}::uuid, ${tenant.slug}, ${tenant.legal_name},
      ${tenant.display_name}::jsonb, ${tenant.country}, ${tenant.region}, ${tenant.config}::jsonb,
      ${tenant.search_text})
    on conflict (slug) do nothing
    returning ${tenantColumns}`
}

/** Any number in one parameter. Those that exist stay as they are. */
export function insertTenants(tenants: readonly NewTenantRow[]): Statement<unknown> {
  return sql`
    insert into sandbox.tenant_account
      (tenant_id, slug, legal_name, display_name, country, region, config, search_text)
    select t.* from json_to_recordset(${JSON.stringify(tenants)}::json) as t (tenant_id uuid,
      slug text, legal_name text, display_name jsonb, country text, region text, config jsonb,
      search_text text)
    on conflict do nothing`
}
