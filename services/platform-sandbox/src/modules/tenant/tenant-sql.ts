import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { TenantRow, TenantSummaryRow } from './tenant.ts'

/** The columns of a `TenantRow`; the table alias is `t`. */
const tenantColumns = rawSql(`
  t.tenant_id, t.slug, t.legal_name, t.display_name, t.status, t.country, t.region,
  t.config_version, t.config, t.created_at, t.updated_at,
  array(select d.domain from sandbox.tenant_domain d where d.tenant_id = t.tenant_id
    order by d.added_at, d.domain) as custom_domains`)

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

export interface TenantPage {
  readonly after: string
  readonly status: string | null
  /** Lower case, with the LIKE wildcards escaped. */
  readonly pattern: string | null
  readonly rows: number
}

export function selectTenants(page: TenantPage): Statement<TenantSummaryRow> {
  return sql<TenantSummaryRow>`
    select tenant_id, slug, display_name, status, country, region, config_version
    from sandbox.tenant_account
    where slug > ${page.after}
      and (${page.status}::text is null or status = ${page.status})
      and (${page.pattern}::text is null or search_text like ${page.pattern})
    order by slug limit ${page.rows}`
}

/**
 * Locked until the end of the transaction: changes of one tenant, and their events, are serialized.
 * The row is read by a separate statement afterwards: this one, after waiting for the lock, would
 * still see the previous domains.
 */
export function lockTenant(tenant: string): Statement<{ tenant_id: string }> {
  return sql<{ tenant_id: string }>`
    select tenant_id from sandbox.tenant_account where tenant_id = ${tenant}::uuid for update`
}

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

/** Any number of rows in one parameter. Existing ones stay unchanged. */
export function insertTenants(tenants: readonly NewTenantRow[]): Statement<unknown> {
  return sql`
    insert into sandbox.tenant_account
      (tenant_id, slug, legal_name, display_name, country, region, config, search_text)
    select t.* from json_to_recordset(${JSON.stringify(tenants)}::json) as t (tenant_id uuid,
      slug text, legal_name text, display_name jsonb, country text, region text, config jsonb,
      search_text text)
    on conflict do nothing`
}

/** Requires the lock of `lockTenant`. */
export function updateTenantConfig(
  tenant: string,
  config: TenantRow['config'],
): Statement<TenantRow> {
  return sql<TenantRow>`
    update sandbox.tenant_account t
    set config = ${config}::jsonb, config_version = t.config_version + 1, updated_at = clock_timestamp()
    where t.tenant_id = ${tenant}::uuid returning ${tenantColumns}`
}

/** Requires the lock of `lockTenant`. */
export function updateTenantStatus(
  tenant: string,
  status: TenantRow['status'],
): Statement<TenantRow> {
  return sql<TenantRow>`
    update sandbox.tenant_account t set status = ${status}, updated_at = clock_timestamp()
    where t.tenant_id = ${tenant}::uuid returning ${tenantColumns}`
}

/**
 * Waits for a concurrent insert of the same domain; no row when the domain already belongs to a
 * tenant.
 */
export function insertDomain(tenant: string, domain: string): Statement<{ domain: string }> {
  return sql<{ domain: string }>`
    insert into sandbox.tenant_domain (domain, tenant_id) values (${domain}, ${tenant}::uuid)
    on conflict (domain) do nothing returning domain`
}

export interface DomainRow {
  readonly domain: string
  readonly tenant_id: string
}

export function insertDomains(domains: readonly DomainRow[]): Statement<unknown> {
  return sql`
    insert into sandbox.tenant_domain (domain, tenant_id)
    select d.domain, d.tenant_id
    from json_to_recordset(${JSON.stringify(domains)}::json) as d (domain text, tenant_id uuid)
    on conflict do nothing`
}
