import { createBus, type EventBus } from '@melmastoon/chassis/bus'
import { type Cache, createCache, type DefinedCache } from '@melmastoon/chassis/cache'
import { createDatabase, type Database } from '@melmastoon/chassis/db'
import type { Flags } from '@melmastoon/chassis/flags'
import {
  createIdempotencyStore,
  createReplayShortcut,
  type IdempotencyStore,
} from '@melmastoon/chassis/idempotency'
import type { LimitPolicy } from '@melmastoon/chassis/limits'
import { TelemetryBatcher } from '@melmastoon/chassis/outbox'
import { createRedis, type Redis } from '@melmastoon/chassis/redis'
import type { SessionStore } from '@melmastoon/chassis/sessions'
import {
  cacheMetrics,
  createLogger,
  createMetrics,
  createTracer,
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
  onError: (error: unknown) => void
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
  const onError = (error: unknown) =>
    logger.warn({ event: 'dependency', error }, 'dependency error')
  const database = (url: string, poolMax: number) => createDatabase({ url, poolMax, onError })
  const redis = (url: string, name: string) => createRedis(url, { name, onError })
  const db = database(config.appUrl, POOL_MAX)
  const relayDb = database(config.relayUrl, RELAY_POOL_MAX)
  const sessionRedis = redis(config.redisSessionUrl, 'example-session')
  const cacheRedis = redis(config.redisCacheUrl, 'example-cache')
  const bus = createBus(config, sessionRedis, metrics)
  const flags = createExampleFlags(cacheRedis, metrics)
  const telemetry = new TelemetryBatcher({ db, onError, ...telemetryMetrics(metrics) })
  const cache = createCache({
    redis: cacheRedis,
    versions: sessionRedis,
    metrics: cacheMetrics(metrics),
  })
  return {
    config,
    logger,
    metrics,
    tracer,
    registry,
    onError,
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
    idempotency: createIdempotencyStore({
      db,
      schema: EXAMPLE_SCHEMA,
      secret: Buffer.from(config.secrets.idempotency.reveal()),
      metrics,
      shortcut: createReplayShortcut({ redis: cacheRedis, onError }),
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
