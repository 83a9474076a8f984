import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import type { Flags } from '@melmastoon/chassis/flags'
import type { IdempotencyStore } from '@melmastoon/chassis/idempotency'
import type { Limiter, LimitPolicy } from '@melmastoon/chassis/limits'
import type { TelemetryBatcher } from '@melmastoon/chassis/outbox'
import {
  type ServiceBase,
  type ServiceOverrides,
  serviceCache,
  serviceIdempotency,
  serviceLimiter,
  serviceTelemetry,
  serviceUpstream,
} from '@melmastoon/chassis/service'
import type { SessionStore } from '@melmastoon/chassis/sessions'
import type { Upstream } from '@melmastoon/chassis/upstream'
import { KeyRing } from '@melmastoon/security'
import type { ExampleConfig } from './config.ts'
import { registry } from './events.ts'
import { createExampleFlags, type ExampleFlags } from './flags.ts'
import { definePages } from './page/define-pages.ts'
import { createGuestSessions, type GuestSession } from './sessions/guest-session.ts'

const READS: LimitPolicy = { name: 'read', limit: 1_200, periodSeconds: 60 }
const WRITES: LimitPolicy = { name: 'write', limit: 120, periodSeconds: 60 }
const UPSTREAM_TIMEOUT_MS = 1_500

export interface ExampleContext extends ServiceBase<ExampleConfig> {
  readonly registry: typeof registry
  readonly flags: Flags<ExampleFlags>
  readonly telemetry: TelemetryBatcher
  readonly cache: Cache
  readonly pages: DefinedCache<'locale' | 'currency'>
  readonly sessions: SessionStore<GuestSession, 'gms'>
  readonly limits: { readonly reads: Limiter; readonly writes: Limiter }
  readonly idempotency: IdempotencyStore
  readonly upstream: Upstream
}

/** What tests and benchmarks may replace. */
export interface ContextOverrides extends ServiceOverrides {
  readonly readPolicy?: LimitPolicy
  readonly pageSoftTtlMs?: number
  readonly upstream?: { readonly timeoutMs?: number; readonly halfOpenAfterMs?: number }
}

/** The composition root: every collaborator, built once, in the order of their dependencies. */
export function createContext(
  base: ServiceBase<ExampleConfig>,
  overrides: ContextOverrides,
): ExampleContext {
  const flags = createExampleFlags(base)
  const cache = serviceCache(base)
  return {
    ...base,
    registry,
    flags,
    telemetry: serviceTelemetry(base),
    cache,
    pages: definePages(cache, flags, overrides.pageSoftTtlMs),
    sessions: createGuestSessions({
      redis: base.sessionRedis,
      keys: KeyRing.parse(base.config.secrets.sessionKeys.reveal()),
      keyPrefix: base.keys.prefix('session'),
    }),
    limits: {
      reads: serviceLimiter(base, overrides.readPolicy ?? READS),
      writes: serviceLimiter(base, WRITES),
    },
    idempotency: serviceIdempotency(base),
    upstream: serviceUpstream(base, {
      name: 'catalogue',
      baseUrl: base.config.upstreamUrl,
      retries: 1,
      timeoutMs: UPSTREAM_TIMEOUT_MS,
      ...overrides.upstream,
    }),
  }
}
