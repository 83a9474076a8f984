import {
  budgetExceededAs,
  type ConnectedUpstreams,
  connectUpstreams,
  type UpstreamDeps,
} from '@melmastoon/bff/upstreams'
import { aiContract } from '@melmastoon/upstream-contracts/ai'
import { billingContract } from '@melmastoon/upstream-contracts/billing'
import { housekeepingContract } from '@melmastoon/upstream-contracts/housekeeping'
import { iamContract } from '@melmastoon/upstream-contracts/iam'
import { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import { lockContract } from '@melmastoon/upstream-contracts/lock'
import { maintenanceContract } from '@melmastoon/upstream-contracts/maintenance'
import { notificationContract } from '@melmastoon/upstream-contracts/notification'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { propertyContract } from '@melmastoon/upstream-contracts/property'
import { reservationContract } from '@melmastoon/upstream-contracts/reservation'
import { syncContract } from '@melmastoon/upstream-contracts/sync'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import type { BackofficeConfig } from '../config.ts'

const CONTRACTS = {
  iam: iamContract,
  tenant: tenantContract,
  property: propertyContract,
  inventory: inventoryContract,
  pricing: pricingContract,
  reservation: reservationContract,
  housekeeping: housekeepingContract,
  maintenance: maintenanceContract,
  billing: billingContract,
  lock: lockContract,
  notification: notificationContract,
  ai: aiContract,
  sync: syncContract,
} as const

export type Upstreams = ConnectedUpstreams<typeof CONTRACTS>

/** The time limit of one call, retries included. */
export const UPSTREAM_MS = {
  iam: 600,
  tenant: 500,
  property: 600,
  inventory: 600,
  pricing: 600,
  reservation: 1_500,
  housekeeping: 700,
  maintenance: 700,
  billing: 600,
  lock: 1_200,
  notification: 600,
  ai: 1_200,
  sync: 600,
} as const

/** For `catch`: the deadline of a request passed before its upstreams had responded. */
export const asBudgetExceeded = budgetExceededAs(
  'MELMASTOON.BFF.BACKOFFICE.UPSTREAM_BUDGET_EXCEEDED',
)

export type UpstreamLimits = Partial<Record<keyof typeof UPSTREAM_MS, number>>

/** @param limits other time limits, for tests on a busy machine. */
export function createUpstreams(
  config: BackofficeConfig,
  deps: UpstreamDeps,
  limits: UpstreamLimits = {},
): Upstreams {
  return connectUpstreams(CONTRACTS, {
    config,
    deps,
    timeoutsMs: { ...UPSTREAM_MS, ...limits },
    withoutRetry: ['iam', 'lock'],
  })
}
