import type { LimitPolicy } from '@melmastoon/chassis/limits'
import {
  type ServiceBase,
  type ServiceOverrides,
  serviceCache,
  serviceIdempotency,
  serviceLimiter,
  serviceSessions,
  serviceUpstream,
} from '@melmastoon/chassis/service'
import type { ExampleConfig } from './config.ts'
import { definePages } from './page/page.ts'
import { STORE } from './sessions/guest-session.ts'

/** Collaborators that tests may replace. */
export interface ContextOverrides extends ServiceOverrides {
  readonly limit?: LimitPolicy
  readonly pageSoftTtlMs?: number
  readonly upstream?: { readonly timeoutMs?: number; readonly halfOpenAfterMs?: number }
}

export type ExampleContext = ReturnType<typeof createContext>

/** The composition root: every collaborator, built once, in the order of their dependencies. */
export function createContext(base: ServiceBase<ExampleConfig>, overrides: ContextOverrides) {
  const { upstreamUrl: baseUrl, secrets } = base.config
  const upstream = { name: 'catalogue', baseUrl, retries: 1, timeoutMs: 1_500 }
  const limit = overrides.limit ?? { name: 'guest', limit: 1_200, periodSeconds: 60 }
  const cache = serviceCache(base)
  return {
    ...base,
    cache,
    pages: definePages(cache, overrides.pageSoftTtlMs),
    sessions: serviceSessions(base, secrets.sessionKeys, STORE),
    limiter: serviceLimiter(base, limit),
    idempotency: serviceIdempotency(base),
    upstream: serviceUpstream(base, { ...upstream, ...overrides.upstream }),
  }
}
