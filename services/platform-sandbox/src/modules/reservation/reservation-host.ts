import { isProblem, problem } from '@melmastoon/domain'
import type { ModuleHost } from '../../module.ts'
import type { InventoryModule } from '../inventory/module.ts'
import type { PricingModule } from '../pricing/module.ts'
import type { TenantModule } from '../tenant/module.ts'

export interface Siblings {
  readonly tenant: Pick<TenantModule, 'checkSelling'>
  readonly inventory: InventoryModule
  readonly pricing: Pick<PricingModule, 'quoteById' | 'confirmPromotion'>
}

/** What the operations of a reservation work with. */
export type ReservationHost = ModuleHost & Siblings

/** Its rooms moved since it was read: it expired, or somebody else confirmed or cancelled it. */
export function toIllegalMove(error: unknown): unknown {
  const isOfRooms = isProblem(error) && error.code.startsWith('MELMASTOON.INVENTORY.HOLD_')
  return isOfRooms ? problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION') : error
}
