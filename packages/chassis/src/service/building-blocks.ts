import type { IdPrefix } from '@melmastoon/domain'
import { KeyRing } from '@melmastoon/security'
import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { type Cache, type CacheOptions, createCache } from '../cache/index.ts'
import type { Secret } from '../config/index.ts'
import { createFlags, createTenantFlags, type FlagsOptions } from '../flags/index.ts'
import {
  createIdempotency,
  createReplayShortcut,
  type IdempotencyStore,
} from '../idempotency/index.ts'
import { createLimiter, type Limiter, type LimitPolicy } from '../limits/index.ts'
import { TelemetryBatcher } from '../outbox/index.ts'
import { createSessionStore, type SessionStore } from '../sessions/index.ts'
import {
  cacheMetrics,
  flagsMetrics,
  limitMetrics,
  telemetryMetrics,
  upstreamMetrics,
} from '../telemetry/index.ts'
import { createUpstream, type Upstream, type UpstreamOptions } from '../upstream/index.ts'
import type { ServiceBase } from './create-base.ts'

/** Collaborators that a context may want, wired to its connections, metrics and shutdown. */
export function serviceCache(base: ServiceBase, options: Partial<CacheOptions> = {}): Cache {
  const { cacheRedis: redis, sessionRedis: versions, keys, clock } = base
  const metrics = cacheMetrics(base.metrics, base.errors)
  return base.use(createCache({ redis, versions, keys, clock, metrics, ...options }))
}

export function serviceIdempotency(base: ServiceBase): IdempotencyStore {
  const { db, schema, metrics, cacheRedis, keys, errors, config } = base
  const { idempotency, idempotencyKeys } = config.secrets
  return createIdempotency({
    db,
    schema,
    secret: Buffer.from(idempotency.reveal()),
    keys: idempotencyKeys && KeyRing.parse(idempotencyKeys.reveal()),
    metrics,
    shortcut: createReplayShortcut({
      redis: cacheRedis,
      keys,
      onError: errors.for('replay-shortcut'),
    }),
  })
}

export interface SessionSettings<S extends TSchema, P extends IdPrefix> {
  /** What is stored; anything else counts as no session. */
  readonly schema: S
  readonly idPrefix: P
  readonly ttlSeconds: number
}

/** Sessions whose cookies are signed with a ring of keys, `SESSION_KEYS`. */
export function serviceSessions<S extends TSchema, P extends IdPrefix>(
  { sessionRedis: redis, keys }: ServiceBase,
  signingKeys: Secret,
  { schema, idPrefix, ttlSeconds }: SessionSettings<S, P>,
): SessionStore<Static<S>, P> {
  return createSessionStore({
    redis,
    keys: KeyRing.parse(signingKeys.reveal()),
    idPrefix,
    keyPrefix: keys.prefix('session'),
    ttlSeconds,
    parse: (value) => (Check(schema, value) ? value : null),
  })
}

export function serviceTelemetry({ db, metrics, errors, use }: ServiceBase): TelemetryBatcher {
  const onError = errors.for('telemetry')
  return use(new TelemetryBatcher({ db, onError, ...telemetryMetrics(metrics) }))
}

export function serviceFlags<S extends TSchema>(
  { cacheRedis, metrics, use }: ServiceBase,
  options: Pick<FlagsOptions<S>, 'key' | 'schema' | 'defaults' | 'pollMs'>,
) {
  return use(createFlags({ redis: cacheRedis, ...flagsMetrics(metrics), ...options }))
}

/** The same with overrides per tenant. */
export function serviceTenantFlags<S extends TSchema>(
  { cacheRedis, metrics, use }: ServiceBase,
  options: Pick<FlagsOptions<S>, 'key' | 'schema' | 'defaults' | 'pollMs'>,
) {
  return use(createTenantFlags({ redis: cacheRedis, ...flagsMetrics(metrics), ...options }))
}

/** `open`: with Redis unavailable it continues with a limit per process. */
export function serviceLimiter(
  { cacheRedis, keys, metrics }: ServiceBase,
  policy: LimitPolicy,
  failure: 'open' | 'closed' = 'open',
): Limiter {
  return createLimiter({
    redis: cacheRedis,
    keys,
    policy,
    failure,
    ...limitMetrics(metrics, policy.name),
  })
}

export function serviceUpstream(
  { metrics, tracer, use }: ServiceBase,
  options: Omit<UpstreamOptions, 'observer' | 'tracer'>,
): Upstream {
  const observer = upstreamMetrics(metrics, options.name)
  return use(createUpstream({ ...options, observer, tracer }))
}
