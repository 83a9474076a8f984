import { type Statement, sql } from '@melmastoon/chassis/db'

/**
 * Waits for whoever is adding the same domain just now; no row when it has an owner, this tenant or
 * another.
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
