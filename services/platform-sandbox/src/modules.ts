import type { PropertyId } from '@melmastoon/domain'
import type { ModuleHost, ServedModule } from './module.ts'
import { createAiModule } from './modules/ai/module.ts'
import { createBillingModule } from './modules/billing/module.ts'
import { createHousekeepingModule } from './modules/housekeeping/module.ts'
import { createIamModule } from './modules/iam/module.ts'
import { createInventoryModule } from './modules/inventory/module.ts'
import { createLockModule } from './modules/lock/module.ts'
import { createMaintenanceModule } from './modules/maintenance/module.ts'
import { createNotificationModule } from './modules/notification/module.ts'
import { createPaymentModule } from './modules/payment/module.ts'
import { createPricingModule } from './modules/pricing/module.ts'
import { createPropertyModule } from './modules/property/module.ts'
import { createReservationModule, onHoldsExpired } from './modules/reservation/module.ts'
import { createSearchModule, type SearchModule } from './modules/search/module.ts'
import { siblingSources } from './modules/search/sibling-sources.ts'
import { createSyncModule } from './modules/sync/module.ts'
import { createTenantModule } from './modules/tenant/module.ts'
import { createThemeModule } from './modules/theme/module.ts'

/** All upstreams of the sandbox, created in dependency order. */
export function createModules(host: ModuleHost) {
  const tenant = createTenantModule(host)
  const iam = createIamModule(host, { tenant })
  const theme = createThemeModule(host, { tenant })
  const property = createPropertyModule(host)
  const inventory = createInventoryModule(host, { onHoldsExpired })
  const maintenance = createMaintenanceModule(host, { property })
  const housekeeping = createHousekeepingModule(host, { property, inventory, maintenance })
  // Each of the two reads from the other, so this one finds the stock when it is asked for it.
  const stock = { findStock: (propertyId: PropertyId) => search.findStock(propertyId) }
  const pricing = createPricingModule(host, { tenant, stock })
  const reservation = createReservationModule(host, {
    tenant,
    inventory,
    pricing,
    housekeeping,
  })
  const payment = createPaymentModule(host, { tenant })
  const notification = createNotificationModule(host, { property })
  const lock = createLockModule(host, { property })
  const billing = createBillingModule(host)
  const ai = createAiModule(host, { property, inventory })
  const sync = createSyncModule(host)
  const sources = siblingSources({ tenant, property, pricing, inventory })
  const search: SearchModule = createSearchModule(host, sources)
  return {
    tenant,
    iam,
    theme,
    property,
    search,
    inventory,
    housekeeping,
    maintenance,
    pricing,
    reservation,
    payment,
    notification,
    lock,
    billing,
    ai,
    sync,
  }
}

export type Modules = ReturnType<typeof createModules>

export function servedModules(modules: Modules): ServedModule[] {
  return Object.values<ServedModule>(modules)
}
