import {
  type ErrorReporter,
  type Logger,
  type Metrics,
  type Tracer,
  upstreamMetrics,
} from '@melmastoon/chassis/telemetry'
import { createUpstream, type Upstream } from '@melmastoon/chassis/upstream'
import {
  type CalledService,
  type Contract,
  createUpstreamClient,
  type Operations,
  type UpstreamClient,
} from '@melmastoon/upstream-contracts'
import type { ServiceAuth } from '@melmastoon/upstream-contracts/auth'
import { createServiceAuth, type ServiceAuthConfig } from './service-auth.ts'

export type ClientOf<C> = C extends Contract<infer O, CalledService> ? UpstreamClient<O> : never

export interface UpstreamOptions {
  readonly baseUrl: string
  /** For one call, retries included. */
  readonly timeoutMs: number
  readonly retries: number
}

export interface UpstreamDeps {
  readonly metrics: Metrics
  readonly logger: Logger
  readonly tracer: Tracer
  readonly errors: ErrorReporter
  /** How soon an open circuit breaker probes again; short only in tests. */
  readonly halfOpenAfterMs?: number | undefined
}

/** Opens authenticated, instrumented clients and closes them together. */
export interface UpstreamConnections extends AsyncDisposable {
  connect<O extends Operations>(
    contract: Contract<O, CalledService>,
    options: UpstreamOptions,
  ): UpstreamClient<O>
  /** Resolves as soon as every client has its credentials. */
  ready(): Promise<void>
}

export function createUpstreamConnections(
  config: ServiceAuthConfig,
  deps: UpstreamDeps,
): UpstreamConnections {
  const opened: { upstream: Upstream; auth: ServiceAuth }[] = []
  const { metrics, logger, tracer, errors, halfOpenAfterMs } = deps
  return {
    connect(contract, options) {
      const name = contract.upstream
      const auth = createServiceAuth(config, {
        audience: options.baseUrl,
        onError: errors.for('upstream-auth', name),
      })
      const upstream = createUpstream({
        name,
        ...options,
        authorize: auth.headers,
        observer: upstreamMetrics(metrics, name, logger),
        tracer,
        ...(halfOpenAfterMs !== undefined && { halfOpenAfterMs }),
      })
      opened.push({ upstream, auth })
      return createUpstreamClient(contract, upstream)
    },
    async ready() {
      await Promise.all(opened.map(({ auth }) => auth.ready()))
    },
    async [Symbol.asyncDispose]() {
      for (const { auth } of opened) auth[Symbol.dispose]()
      await Promise.allSettled(opened.map(({ upstream }) => upstream[Symbol.asyncDispose]()))
    },
  }
}
