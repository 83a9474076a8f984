import {
  budgetExceededAs,
  type ClientOf,
  createUpstreamConnections,
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
const READS = {
  pricing: readsOf(pricingContract),
  theme: readsOf(themeContract),
  property: readsOf(propertyContract),
  tenant: readsOf(tenantContract),
} as const

export interface Upstreams extends AsyncDisposable {
  readonly search: ClientOf<typeof searchContract>
  readonly pricing: ClientOf<typeof READS.pricing>
  readonly theme: ClientOf<typeof READS.theme>
  readonly property: ClientOf<typeof READS.property>
  readonly tenant: ClientOf<typeof READS.tenant>
  /** Resolves as soon as every client has its credentials. */
  ready(): Promise<void>
}

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
  const connections = createUpstreamConnections(config, deps)
  const { searchUrl, pricingUrl, themeUrl, propertyUrl, tenantUrl } = config
  const options = (name: keyof typeof UPSTREAM_MS, baseUrl: string, retries = 1) => ({
    baseUrl,
    timeoutMs: UPSTREAM_MS[name],
    retries,
  })
  return {
    search: connections.connect(searchContract, options('search', searchUrl)),
    pricing: connections.connect(READS.pricing, options('pricing', pricingUrl)),
    theme: connections.connect(READS.theme, options('theme', themeUrl)),
    property: connections.connect(READS.property, options('property', propertyUrl)),
    tenant: connections.connect(READS.tenant, options('tenant', tenantUrl, 0)),
    ready: () => connections.ready(),
    [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
  }
}
