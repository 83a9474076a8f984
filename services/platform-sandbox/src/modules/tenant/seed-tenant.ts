import type { Database } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import type { TenantSettings } from '@melmastoon/upstream-contracts/tenant'
import type { World, WorldProperty, WorldTenant } from '../../world/world.ts'
import { DEMO_POLICIES } from './demo-policies.ts'
import { searchText } from './tenant.ts'
import { insertDomains, insertTenants } from './tenant-sql.ts'

const BATCH_ROWS = 1_000

/** Idempotent: existing tenants stay unchanged. */
export async function seedTenant(db: Database, world: World): Promise<void> {
  const firstProperties = new Map(
    world.properties.toReversed().map((property) => [property.tenantId, property]),
  )
  for (let from = 0; from < world.tenants.length; from += BATCH_ROWS) {
    const batch = world.tenants.slice(from, from + BATCH_ROWS)
    const rows = batch.map((tenant) => toRow(tenant, firstProperties.get(tenant.tenantId)))
    const domains = batch.flatMap(({ tenantId, customDomains }) =>
      customDomains.map((domain) => ({ domain, tenant_id: idToUuid(tenantId) })),
    )
    await db.transaction(async (tx) => {
      await tx.query(insertTenants(rows))
      if (domains.length > 0) await tx.query(insertDomains(domains))
    })
  }
}

function toRow(tenant: WorldTenant, property: WorldProperty | undefined) {
  return {
    tenant_id: idToUuid(tenant.tenantId),
    slug: tenant.slug,
    legal_name: tenant.legalName,
    display_name: tenant.displayName,
    country: tenant.country,
    region: tenant.region,
    config: settingsOf(tenant, property),
    search_text: searchText(tenant),
  }
}

/** A tenant has the time zone of its first hotel. */
function settingsOf(tenant: WorldTenant, property: WorldProperty | undefined): TenantSettings {
  return {
    timeZone: tenant.timeZone,
    locales: [...tenant.locales],
    defaultLocale: tenant.defaultLocale,
    currencies: [...tenant.currencies],
    primaryCurrency: tenant.primaryCurrency,
    paymentMethods: [...tenant.paymentMethods],
    paymentEnabled: tenant.paymentMethods.length > 0,
    checkInTime: property?.checkInTime ?? '14:00',
    checkOutTime: property?.checkOutTime ?? '12:00',
    policies: DEMO_POLICIES,
  }
}
