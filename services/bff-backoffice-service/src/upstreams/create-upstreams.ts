import {
  budgetExceededAs,
  type ClientOf,
  createUpstreamConnections,
  type UpstreamDeps,
} from '@melmastoon/bff/upstreams'
import { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { propertyContract } from '@melmastoon/upstream-contracts/property'
import { reservationContract } from '@melmastoon/upstream-contracts/reservation'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import type { BackofficeConfig } from '../config.ts'

export interface Upstreams extends AsyncDisposable {
  readonly tenant: ClientOf<typeof tenantContract>
  readonly property: ClientOf<typeof propertyContract>
  readonly inventory: ClientOf<typeof inventoryContract>
  readonly pricing: ClientOf<typeof pricingContract>
  readonly reservation: ClientOf<typeof reservationContract>
  /** Resolves as soon as every client has its credentials. */
  ready(): Promise<void>
}

/** The time limit of one call, retries included. */
export const UPSTREAM_MS = {
  tenant: 500,
  property: 600,
  inventory: 600,
  pricing: 600,
  reservation: 1_500,
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
    tenant: connections.connect(tenantContract, options('tenant')),
    property: connections.connect(propertyContract, options('property')),
    inventory: connections.connect(inventoryContract, options('inventory')),
    pricing: connections.connect(pricingContract, options('pricing')),
    reservation: connections.connect(reservationContract, options('reservation')),
    ready: () => connections.ready(),
    [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
  }
}
