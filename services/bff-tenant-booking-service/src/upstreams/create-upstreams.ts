import {
  budgetExceededAs,
  type ConnectedUpstreams,
  connectUpstreams,
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

const CONTRACTS = {
  tenant: tenantContract,
  theme: themeContract,
  property: propertyContract,
  inventory: inventoryContract,
  pricing: pricingContract,
  reservation: guestReservationContract,
  payment: paymentContract,
  /** Records in the consumer service that a handoff was consumed. */
  consumer: handoffContract,
} as const

export type Upstreams = ConnectedUpstreams<typeof CONTRACTS>

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
  return connectUpstreams(CONTRACTS, {
    config,
    deps,
    timeoutsMs: { ...UPSTREAM_MS, ...limits },
    withoutRetry: ['tenant'],
  })
}
