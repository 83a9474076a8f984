import {
  budgetExceededAs,
  type ClientOf,
  createUpstreamConnections,
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

export interface Upstreams extends AsyncDisposable {
  readonly iam: ClientOf<typeof iamContract>
  readonly tenant: ClientOf<typeof tenantContract>
  readonly property: ClientOf<typeof propertyContract>
  readonly inventory: ClientOf<typeof inventoryContract>
  readonly pricing: ClientOf<typeof pricingContract>
  readonly reservation: ClientOf<typeof reservationContract>
  readonly housekeeping: ClientOf<typeof housekeepingContract>
  readonly maintenance: ClientOf<typeof maintenanceContract>
  readonly billing: ClientOf<typeof billingContract>
  readonly lock: ClientOf<typeof lockContract>
  readonly notification: ClientOf<typeof notificationContract>
  readonly ai: ClientOf<typeof aiContract>
  readonly sync: ClientOf<typeof syncContract>
  /** Resolves as soon as every client has its credentials. */
  ready(): Promise<void>
}

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
  const connections = createUpstreamConnections(config, deps)
  const options = (name: keyof typeof UPSTREAM_MS, retries = 1) => ({
    baseUrl: config[`${name}Url`],
    timeoutMs: limits[name] ?? UPSTREAM_MS[name],
    retries,
  })
  return {
    iam: connections.connect(iamContract, options('iam', 0)),
    tenant: connections.connect(tenantContract, options('tenant')),
    property: connections.connect(propertyContract, options('property')),
    inventory: connections.connect(inventoryContract, options('inventory')),
    pricing: connections.connect(pricingContract, options('pricing')),
    reservation: connections.connect(reservationContract, options('reservation')),
    housekeeping: connections.connect(housekeepingContract, options('housekeeping')),
    maintenance: connections.connect(maintenanceContract, options('maintenance')),
    billing: connections.connect(billingContract, options('billing')),
    lock: connections.connect(lockContract, options('lock', 0)),
    notification: connections.connect(notificationContract, options('notification')),
    ai: connections.connect(aiContract, options('ai')),
    sync: connections.connect(syncContract, options('sync')),
    ready: () => connections.ready(),
    [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
  }
}
