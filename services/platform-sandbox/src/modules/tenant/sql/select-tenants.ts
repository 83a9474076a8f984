import { type Statement, sql } from '@melmastoon/chassis/db'
import type { TenantSummaryRow } from '../tenant.ts'

export interface TenantPage {
  readonly after: string
  readonly status: string | null
  /** Lower case, with the wildcards of LIKE made harmless. */
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
