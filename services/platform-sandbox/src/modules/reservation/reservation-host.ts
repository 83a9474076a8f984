import { isProblem, type ProblemCode, problem } from '@melmastoon/domain'
import type { ModuleHost } from '../../module.ts'
import type { HousekeepingModule } from '../housekeeping/module.ts'
import type { InventoryModule } from '../inventory/module.ts'
import type { PricingModule } from '../pricing/module.ts'
import type { TenantModule } from '../tenant/module.ts'

export interface Siblings {
  readonly tenant: Pick<TenantModule, 'checkSelling'>
  readonly inventory: InventoryModule
  readonly housekeeping: Pick<HousekeepingModule, 'roomsNotReady'>
  readonly pricing: Pick<PricingModule, 'quoteById' | 'confirmPromotion' | 'releasePromotion'>
}

/** What the operations of a reservation depend on. */
export type ReservationHost = ModuleHost & Siblings

/**
 * The allocation changed since it was read: it expired, or was confirmed or cancelled concurrently.
 */
export function toIllegalMove(error: unknown): unknown {
  const isOfRooms = isProblem(error) && error.code.startsWith('MELMASTOON.INVENTORY.HOLD_')
  return isOfRooms ? problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION') : error
}

export function isHoldExpired(error: unknown): boolean {
  return isProblem(error) && error.code === 'MELMASTOON.INVENTORY.HOLD_EXPIRED'
}

const REJECTIONS: Readonly<Partial<Record<ProblemCode, ProblemCode>>> = {
  'MELMASTOON.INVENTORY.HOLD_EXPIRED': 'MELMASTOON.RESERVATION.HOLD_EXPIRED',
  'MELMASTOON.INVENTORY.HOLD_SETTLED': 'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
}

/** For changes that require an active hold. */
export function toHoldRejection(error: unknown): never {
  const code = isProblem(error) ? REJECTIONS[error.code] : undefined
  throw code === undefined ? error : problem(code)
}
