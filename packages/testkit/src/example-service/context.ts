import { createPubSubBus, createRedisStreamsBus, type EventBus } from '@melmastoon/chassis/bus'
import { type Cache, createCache, type DefinedCache } from '@melmastoon/chassis/cache'
import { createDatabase, type Database } from '@melmastoon/chassis/db'
import type { Flags } from '@melmastoon/chassis/flags'
import {
  createIdempotencyStore,
  createReplayShortcut,
  type IdempotencyStore,
} from '@melmastoon/chassis/idempotency'
import { createLimiter, type Limiter, type LimitPolicy } from '@melmastoon/chassis/limits'
import { TelemetryBatcher } from '@melmastoon/chassis/outbox'
import { createRedis, type Redis } from '@melmastoon/chassis/redis'
import { createSessionStore, type SessionStore } from '@melmastoon/chassis/sessions'
import {
  cacheMetrics,
  createLogger,
  createMetrics,
  createTracer,
  type Logger,
  type Metrics,
  type Tracer,
  upstreamMetrics,
} from '@melmastoon/chassis/telemetry'
import { createUpstream, type Upstream } from '@melmastoon/chassis/upstream'
import { createRegistry } from '@melmastoon/events'
import type { ExampleConfig } from './config.ts'
import { EXAMPLE_EVENTS } from './events.ts'
import { createExampleFlags, type ExampleFlags } from './flags.ts'
import { type GuestSession, parseGuestSession, SESSION_TTL_SECONDS } from './guest-session.ts'
import { EXAMPLE_SCHEMA } from './migrations.ts'

const POOL_MAX = 12
const RELAY_POOL_MAX = 6
const PAGE_LIMIT: LimitPolicy = { name: 'page', limit: 1_200, periodSeconds: 60 }
const registry = createRegistry(EXAMPLE_EVENTS)

export interface ExampleContext extends AsyncDisposable {
  config: ExampleConfig
  logger: Logger
  metrics: Metrics
  tracer: Tracer
  registry: typeof registry
  db: Database
  relayDb: Database
  sessionRedis: Redis
  cacheRedis: Redis
  bus: EventBus
  flags: Flags<ExampleFlags>
  telemetry: TelemetryBatcher
  cache: Cache
  pages: DefinedCache<'locale' | 'currency'>
  sessions: SessionStore<GuestSession>
  pageLimiter: Limiter
  idempotency: IdempotencyStore
  upstream: Upstream
}

/** What tests and benchmarks may want otherwise. */
export interface ContextOverrides {
  pageLimit?: LimitPolicy
  pageSoftTtlMs?: number
  flagsPollMs?: number
  upstreamTimeoutMs?: number
  singleFlight?: 'fleet' | 'process' | 'none'
  breakerHalfOpenAfterMs?: number
}

/** The composition root: every collaborator, built once, in the order they need each other. */
export function createContext(
  config: ExampleConfig,
  overrides: ContextOverrides = {},
): ExampleContext {
  const logger = createLogger({ service: config.service, level: config.logLevel })
  const metrics = createMetrics('example', { process: true })
  const tracer = createTracer({
    service: config.service,
    instance: config.instance,
    sampleRatio: config.traceSampleRatio,
    otlpUrl: config.otlpUrl,
  })
  const onError = (error: unknown) =>
    logger.warn({ event: 'dependency', error }, 'dependency error')
  const database = (url: string, poolMax: number) => createDatabase({ url, poolMax, onError })
  const redis = (url: string, name: string) => createRedis(url, { name, onError })
  const db = database(config.appUrl, POOL_MAX)
  const relayDb = database(config.relayUrl, RELAY_POOL_MAX)
  const sessionRedis = redis(config.redisSessionUrl, 'example-session')
  const cacheRedis = redis(config.redisCacheUrl, 'example-cache')
  const bus = createBus(config, sessionRedis)
  const flags = createExampleFlags(cacheRedis, overrides.flagsPollMs)
  const telemetry = new TelemetryBatcher({ db, onError })
  const cache = createCache({
    redis: cacheRedis,
    versions: sessionRedis,
    metrics: cacheMetrics(metrics),
    ...(overrides.singleFlight && { singleFlight: overrides.singleFlight }),
  })
  return {
    config,
    logger,
    metrics,
    tracer,
    registry,
    db,
    relayDb,
    sessionRedis,
    cacheRedis,
    bus,
    flags,
    telemetry,
    cache,
    pages: definePages(cache, flags, overrides),
    sessions: createGuestSessions(sessionRedis),
    pageLimiter: createLimiter({
      redis: cacheRedis,
      policy: overrides.pageLimit ?? PAGE_LIMIT,
      failure: 'open',
    }),
    idempotency: createIdempotencyStore({
      db,
      schema: EXAMPLE_SCHEMA,
      secret: Buffer.from(config.secrets.idempotency.reveal()),
      metrics,
      shortcut: createReplayShortcut({ redis: cacheRedis, onError }),
    }),
    upstream: createCatalogueUpstream(config, { metrics, tracer }, overrides),
    async [Symbol.asyncDispose]() {
      flags[Symbol.dispose]()
      cache[Symbol.dispose]()
      await telemetry[Symbol.asyncDispose]()
      await bus[Symbol.asyncDispose]()
      sessionRedis.disconnect()
      cacheRedis.disconnect()
      await Promise.allSettled([db[Symbol.asyncDispose](), relayDb[Symbol.asyncDispose]()])
      await tracer[Symbol.asyncDispose]()
    },
  }
}

function createBus(config: ExampleConfig, redis: Redis): EventBus {
  return config.eventTransport === 'pubsub'
    ? createPubSubBus({ projectId: 'melmastoon' })
    : createRedisStreamsBus({ redis })
}

const PAGE_FRESH_MS = 60_000
const CAMPAIGN_FRESH_MS = 300_000

/** As the consumer's search page: 60 s fresh, 5 minutes in a campaign, 10 in need (C11). */
function definePages(cache: Cache, flags: Flags<ExampleFlags>, overrides: ContextOverrides) {
  const usualMs = overrides.pageSoftTtlMs ?? PAGE_FRESH_MS
  return cache.define({
    name: 'page',
    dimensions: ['locale', 'currency'],
    softTtlMs: () => (flags.current().campaignMode ? CAMPAIGN_FRESH_MS : usualMs),
    staleWhileRevalidateMs: 30_000,
    staleIfErrorMs: 600_000,
    loadTimeoutMs: 2_000,
  })
}

function createGuestSessions(redis: Redis): SessionStore<GuestSession> {
  return createSessionStore({
    redis,
    idPrefix: 'gms',
    keyPrefix: 'gms_session:',
    ttlSeconds: SESSION_TTL_SECONDS,
    parse: parseGuestSession,
  })
}

function createCatalogueUpstream(
  config: ExampleConfig,
  { metrics, tracer }: { metrics: Metrics; tracer: Tracer },
  overrides: ContextOverrides,
): Upstream {
  const { breakerHalfOpenAfterMs: halfOpenAfterMs } = overrides
  return createUpstream({
    name: 'catalogue',
    baseUrl: config.upstreamUrl,
    timeoutMs: overrides.upstreamTimeoutMs ?? 1_500,
    retries: 1,
    observer: upstreamMetrics(metrics, 'catalogue'),
    tracer,
    ...(halfOpenAfterMs !== undefined && { halfOpenAfterMs }),
  })
}
