import { createBus, type EventBus } from '@melmastoon/chassis/bus'
import { type Cache, createCache, type DefinedCache } from '@melmastoon/chassis/cache'
import { createDatabase, type Database } from '@melmastoon/chassis/db'
import type { Flags } from '@melmastoon/chassis/flags'
import {
  createIdempotency,
  createReplayShortcut,
  type IdempotencyStore,
} from '@melmastoon/chassis/idempotency'
import type { LimitPolicy } from '@melmastoon/chassis/limits'
import { TelemetryBatcher } from '@melmastoon/chassis/outbox'
import { createRedis, type Redis } from '@melmastoon/chassis/redis'
import type { SessionStore } from '@melmastoon/chassis/sessions'
import {
  cacheMetrics,
  createErrorReporter,
  createLogger,
  createMetrics,
  createTracer,
  type ErrorReporter,
  type Logger,
  type Metrics,
  type Tracer,
  telemetryMetrics,
} from '@melmastoon/chassis/telemetry'
import type { Upstream } from '@melmastoon/chassis/upstream'
import type { ExampleConfig } from './config.ts'
import { registry } from './events.ts'
import { createExampleFlags, type ExampleFlags } from './flags.ts'
import { createExampleLimits, type ExampleLimits } from './limits.ts'
import { EXAMPLE_SCHEMA } from './migrations.ts'
import { definePages } from './page/define-pages.ts'
import { createGuestSessions, type GuestSession } from './sessions/guest-session.ts'
import { createCatalogueUpstream, type UpstreamPatience } from './upstream/catalogue-upstream.ts'

const POOL_MAX = 12
const RELAY_POOL_MAX = 6

export interface ExampleContext extends AsyncDisposable {
  config: ExampleConfig
  logger: Logger
  metrics: Metrics
  tracer: Tracer
  registry: typeof registry
  errors: ErrorReporter
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
  limits: ExampleLimits
  idempotency: IdempotencyStore
  upstream: Upstream
}

/** What tests and benchmarks may want otherwise. */
export interface ContextOverrides {
  readPolicy?: LimitPolicy
  pageSoftTtlMs?: number
  upstream?: UpstreamPatience
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
  const errors = createErrorReporter({ logger, metrics })
  const database = (url: string, poolMax: number, component: string) =>
    createDatabase({ url, poolMax, onError: errors.for(component) })
  const redis = (url: string, component: string) =>
    createRedis(url, { name: `example-${component}`, onError: errors.for(component) })
  const db = database(config.appUrl, POOL_MAX, 'database')
  const relayDb = database(config.relayUrl, RELAY_POOL_MAX, 'relay-database')
  const sessionRedis = redis(config.redisSessionUrl, 'session-redis')
  const cacheRedis = redis(config.redisCacheUrl, 'cache-redis')
  const bus = createBus(config, sessionRedis, metrics)
  const flags = createExampleFlags(cacheRedis, metrics)
  const telemetry = new TelemetryBatcher({
    db,
    onError: errors.for('telemetry'),
    ...telemetryMetrics(metrics),
  })
  const cache = createCache({
    redis: cacheRedis,
    versions: sessionRedis,
    metrics: cacheMetrics(metrics, errors),
  })
  return {
    config,
    logger,
    metrics,
    tracer,
    registry,
    errors,
    db,
    relayDb,
    sessionRedis,
    cacheRedis,
    bus,
    flags,
    telemetry,
    cache,
    pages: definePages(cache, flags, overrides.pageSoftTtlMs),
    sessions: createGuestSessions(sessionRedis),
    limits: createExampleLimits(cacheRedis, metrics, overrides.readPolicy),
    idempotency: createIdempotency({
      db,
      schema: EXAMPLE_SCHEMA,
      secret: Buffer.from(config.secrets.idempotency.reveal()),
      metrics,
      shortcut: createReplayShortcut({
        redis: cacheRedis,
        onError: errors.for('replay-shortcut'),
      }),
    }),
    upstream: createCatalogueUpstream(config.upstreamUrl, { metrics, tracer }, overrides.upstream),
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
