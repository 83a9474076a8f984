import {
  type Logger,
  type Metrics,
  type Tracer,
  upstreamMetrics,
} from '@melmastoon/chassis/telemetry'
import { createUpstream, type Upstream } from '@melmastoon/chassis/upstream'
import {
  type Contract,
  createUpstreamClient,
  type Operations,
  type UpstreamClient,
} from '@melmastoon/upstream-contracts'
import type { ServiceAuth } from '@melmastoon/upstream-contracts/auth'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { propertyContract } from '@melmastoon/upstream-contracts/property'
import { searchContract } from '@melmastoon/upstream-contracts/search'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { themeContract } from '@melmastoon/upstream-contracts/theme'
import type { ConsumerConfig } from '../config.ts'
import { createAuth } from './create-auth.ts'

type ClientOf<C> = C extends Contract<infer O> ? UpstreamClient<O> : never

export interface Upstreams extends AsyncDisposable {
  readonly search: ClientOf<typeof searchContract>
  readonly pricing: ClientOf<typeof pricingContract>
  readonly theme: ClientOf<typeof themeContract>
  readonly property: ClientOf<typeof propertyContract>
  readonly tenant: ClientOf<typeof tenantContract>
  /** Resolves once all of them can be told who calls. */
  ready(): Promise<void>
}

/** How long each may take, repetitions included (failure modes F-2 and F-3). */
export const UPSTREAM_MS = {
  search: 1_500,
  pricing: 800,
  theme: 600,
  property: 1_000,
  tenant: 400,
} as const

export interface UpstreamSurroundings {
  readonly metrics: Metrics
  readonly logger: Logger
  readonly tracer: Tracer
  readonly onError: (error: unknown) => void
  /** How soon an open breaker probes; only tests are in a hurry. */
  readonly halfOpenAfterMs?: number | undefined
}

export function createUpstreams(
  config: ConsumerConfig,
  { metrics, logger, tracer, onError, halfOpenAfterMs }: UpstreamSurroundings,
): Upstreams {
  const opened: { upstream: Upstream; auth: ServiceAuth }[] = []
  const connect = <O extends Operations>(
    contract: Contract<O>,
    baseUrl: string,
    retries: number,
  ) => {
    const name = contract.upstream as keyof typeof UPSTREAM_MS
    const auth = createAuth(config, { audience: baseUrl, onError })
    const upstream = createUpstream({
      name,
      baseUrl,
      timeoutMs: UPSTREAM_MS[name],
      retries,
      authorize: auth.headers,
      observer: upstreamMetrics(metrics, name, logger),
      tracer,
      ...(halfOpenAfterMs !== undefined && { halfOpenAfterMs }),
    })
    opened.push({ upstream, auth })
    return createUpstreamClient(contract, upstream)
  }
  const { searchUrl, pricingUrl, themeUrl, propertyUrl, tenantUrl } = config
  return {
    search: connect(searchContract, searchUrl, 1),
    pricing: connect(pricingContract, pricingUrl, 1),
    theme: connect(themeContract, themeUrl, 1),
    property: connect(propertyContract, propertyUrl, 1),
    tenant: connect(tenantContract, tenantUrl, 0),
    async ready() {
      await Promise.all(opened.map(({ auth }) => auth.ready()))
    },
    async [Symbol.asyncDispose]() {
      for (const { auth } of opened) auth[Symbol.dispose]()
      await Promise.allSettled(opened.map(({ upstream }) => upstream[Symbol.asyncDispose]()))
    },
  }
}
