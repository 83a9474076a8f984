import {
  budgetExceededAs,
  type ConnectedUpstreams,
  connectUpstreams,
  type UpstreamDeps,
} from '@melmastoon/bff/upstreams'
import { readsOf } from '@melmastoon/upstream-contracts'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { propertyContract } from '@melmastoon/upstream-contracts/property'
import { searchContract } from '@melmastoon/upstream-contracts/search'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { themeContract } from '@melmastoon/upstream-contracts/theme'
import type { ConsumerConfig } from '../config.ts'

/**
 * This service changes nothing elsewhere except the popularity of listings (`search.click`): all
 * other clients have only the reads of their contract, by type and at run time (C5).
 */
const CONTRACTS = {
  search: searchContract,
  pricing: readsOf(pricingContract),
  theme: readsOf(themeContract),
  property: readsOf(propertyContract),
  tenant: readsOf(tenantContract),
} as const

export type Upstreams = ConnectedUpstreams<typeof CONTRACTS>

/** The time limit of one call, retries included (failure modes F-2 and F-3). */
export const UPSTREAM_MS = {
  search: 1_500,
  pricing: 800,
  theme: 600,
  property: 1_000,
  tenant: 400,
} as const

/** For `catch`: the deadline of a request passed before its upstreams had responded. */
export const asBudgetExceeded = budgetExceededAs('MELMASTOON.BFF.CONSUMER.UPSTREAM_BUDGET_EXCEEDED')

export function createUpstreams(config: ConsumerConfig, deps: UpstreamDeps): Upstreams {
  const withoutRetry = ['tenant'] as const
  return connectUpstreams(CONTRACTS, { config, deps, timeoutsMs: UPSTREAM_MS, withoutRetry })
}
