import { aiContract } from '../ai/contract.ts'
import { billingContract } from '../billing/contract.ts'
import { housekeepingContract } from '../housekeeping/contract.ts'
import { iamContract } from '../iam/contract.ts'
import { inventoryContract } from '../inventory/contract.ts'
import { lockContract } from '../lock/contract.ts'
import { maintenanceContract } from '../maintenance/contract.ts'
import { notificationContract } from '../notification/contract.ts'
import { paymentContract } from '../payment/contract.ts'
import { pricingContract } from '../pricing/contract.ts'
import { propertyContract } from '../property/contract.ts'
import { reservationContract } from '../reservation/contract.ts'
import { searchContract } from '../search/contract.ts'
import { syncContract } from '../sync/contract.ts'
import { tenantContract } from '../tenant/contract.ts'
import { themeContract } from '../theme/contract.ts'

/** All upstreams that have a contract. */
export const CONTRACTS = {
  tenant: tenantContract,
  theme: themeContract,
  property: propertyContract,
  search: searchContract,
  pricing: pricingContract,
  inventory: inventoryContract,
  housekeeping: housekeepingContract,
  maintenance: maintenanceContract,
  reservation: reservationContract,
  payment: paymentContract,
  iam: iamContract,
  notification: notificationContract,
  lock: lockContract,
  billing: billingContract,
  ai: aiContract,
  sync: syncContract,
} as const

export type Contracts = typeof CONTRACTS
