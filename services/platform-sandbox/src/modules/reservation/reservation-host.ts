import type { ModuleHost } from '../../module.ts'
import type { InventoryModule } from '../inventory/module.ts'
import type { PricingModule } from '../pricing/module.ts'
import type { TenantModule } from '../tenant/module.ts'

export interface Siblings {
  readonly tenant: Pick<TenantModule, 'checkSelling'>
  readonly inventory: InventoryModule
  readonly pricing: Pick<PricingModule, 'quoteById' | 'keepPromotion'>
}

/** What the operations of a reservation work with. */
export type ReservationHost = ModuleHost & Siblings
