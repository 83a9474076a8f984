import { toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type {
  Tenant,
  TenantSettings,
  TenantSummary,
  tenantContract,
} from '@melmastoon/upstream-contracts/tenant'

export type TenantOperations = typeof tenantContract.operations

export interface TenantRow {
  tenant_id: string
  slug: string
  legal_name: string
  display_name: Tenant['displayName']
  status: Tenant['status']
  country: string
  region: string
  custom_domains: string[]
  config_version: number
  config: TenantSettings
  created_at: Date
  updated_at: Date
}

export type TenantSummaryRow = Pick<
  TenantRow,
  'tenant_id' | 'slug' | 'display_name' | 'status' | 'country' | 'region' | 'config_version'
>

export function toTenant(row: TenantRow): Tenant {
  return {
    tenantId: uuidToId('tnt', row.tenant_id),
    slug: row.slug,
    legalName: row.legal_name,
    displayName: row.display_name,
    status: row.status,
    country: row.country,
    region: row.region,
    customDomains: row.custom_domains,
    config: { version: row.config_version, ...row.config },
    createdAt: toIsoDateTime(row.created_at),
    updatedAt: toIsoDateTime(row.updated_at),
  }
}

export function toSummary(row: TenantSummaryRow): TenantSummary {
  return {
    tenantId: uuidToId('tnt', row.tenant_id),
    slug: row.slug,
    displayName: row.display_name,
    status: row.status,
    country: row.country,
    region: row.region,
    configVersion: row.config_version,
  }
}

/** The text that an operator can search for. */
export function searchText(tenant: Pick<Tenant, 'slug' | 'legalName' | 'displayName'>): string {
  const { slug, legalName, displayName } = tenant
  const names = Object.values(displayName.localized ?? {})
  return [slug, legalName, displayName.default, ...names].join('\n').toLowerCase()
}
