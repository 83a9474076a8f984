import {
  budgetExceededAs,
  type ClientOf,
  createUpstreamConnections,
  type UpstreamDeps,
} from '@melmastoon/bff/upstreams'
import { handoffContract } from '@melmastoon/upstream-contracts/handoff'
import { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import { paymentContract } from '@melmastoon/upstream-contracts/payment'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { propertyContract } from '@melmastoon/upstream-contracts/property'
import { guestReservationContract } from '@melmastoon/upstream-contracts/reservation'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { themeContract } from '@melmastoon/upstream-contracts/theme'
import type { BookingConfig } from '../config.ts'

export interface Upstreams extends AsyncDisposable {
  readonly tenant: ClientOf<typeof tenantContract>
  readonly theme: ClientOf<typeof themeContract>
  readonly property: ClientOf<typeof propertyContract>
  readonly inventory: ClientOf<typeof inventoryContract>
  readonly pricing: ClientOf<typeof pricingContract>
  readonly reservation: ClientOf<typeof guestReservationContract>
  readonly payment: ClientOf<typeof paymentContract>
  /** Records in the consumer service that a handoff was consumed. */
  readonly consumer: ClientOf<typeof handoffContract>
  /** Resolves as soon as every client has its credentials. */
  ready(): Promise<void>
}

/** The time limit of one call, retries included. */
export const UPSTREAM_MS = {
  tenant: 400,
  theme: 500,
  property: 800,
  inventory: 700,
  pricing: 800,
  reservation: 1_500,
  payment: 2_500,
  consumer: 800,
} as const

/** For `catch`: the deadline of a request passed before its upstreams had responded. */
export const asBudgetExceeded = budgetExceededAs('MELMASTOON.BFF.TENANT.UPSTREAM_BUDGET_EXCEEDED')

export type UpstreamLimits = Partial<Record<keyof typeof UPSTREAM_MS, number>>

/** @param limits other time limits, for tests on a busy machine. */
export function createUpstreams(
  config: BookingConfig,
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
    tenant: connections.connect(tenantContract, options('tenant', 0)),
    theme: connections.connect(themeContract, options('theme')),
    property: connections.connect(propertyContract, options('property')),
    inventory: connections.connect(inventoryContract, options('inventory')),
    pricing: connections.connect(pricingContract, options('pricing')),
    reservation: connections.connect(guestReservationContract, options('reservation')),
    payment: connections.connect(paymentContract, options('payment')),
    consumer: connections.connect(handoffContract, options('consumer')),
    ready: () => connections.ready(),
    [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
  }
}
