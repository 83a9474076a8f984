import { createBus, type EventBus } from '../bus/index.ts'
import { type Clock, systemClock } from '../clock/index.ts'
import type { ServerConfig } from '../config/index.ts'
import {
  type Announcements,
  createAnnouncements,
  createDatabase,
  type Database,
} from '../db/index.ts'
import { createKeySpace, createRedis, type KeySpace, type Redis } from '../redis/index.ts'
import {
  createErrorReporter,
  createLogger,
  createMetrics,
  createTracer,
  type ErrorReporter,
  type Logger,
  type Metrics,
  poolMetrics,
  type Tracer,
} from '../telemetry/index.ts'

/** Logs, metrics, traces and connections: what every context is built on. */
export interface ServiceBase<C extends ServerConfig = ServerConfig> extends AsyncDisposable {
  readonly config: C
  readonly schema: string
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly tracer: Tracer
  /** Reports failures of background work by component. */
  readonly errors: ErrorReporter
  /** With the app role: row-level security applies. */
  readonly db: Database
  /** With the relay role: relay, jobs and other work for all tenants. */
  readonly relayDb: Database
  /** Wakes workers when a committed statement announces work for them. */
  readonly announcements: Announcements
  /** With a further role of the service: a small pool of its own, closed with the context. */
  readonly openDatabase: (name: string, url: string, poolMax: number) => Database
  /** Names all keys of this service in both instances. */
  readonly keys: KeySpace
  /** Evicts nothing: sessions, streams, tag versions. */
  readonly sessionRedis: Redis
  /** Evicts when full: caches, limits, flags. */
  readonly cacheRedis: Redis
  readonly bus: EventBus
  /** Registers a resource to be disposed with the context, the last one first. */
  readonly use: <T extends AsyncDisposable | Disposable>(resource: T) => T
}

export interface BaseOptions {
  readonly schema: string
  readonly metricsPrefix: string
  readonly pools?: { readonly app?: number; readonly relay?: number } | undefined
  readonly clock?: Clock | undefined
}

const APP_POOL_MAX = 8
/** One per shard queue of the relay, and some for jobs. */
const RELAY_POOL_MAX = 6
/** The server ends a long statement itself; a longer wait ends only when it does not respond. */
const RESPONSE_MARGIN_MS = 5_000

export function createBase<C extends ServerConfig>(
  config: C,
  { schema, metricsPrefix, pools = {}, clock = systemClock }: BaseOptions,
): ServiceBase<C> {
  const resources = new AsyncDisposableStack()
  const logger = createLogger({ service: config.service, level: config.logLevel })
  const metrics = createMetrics(metricsPrefix, { process: true })
  const errors = createErrorReporter({ logger, metrics })
  const tracer = resources.use(
    createTracer({
      service: config.service,
      instance: config.instance,
      sampleRatio: config.traceSampleRatio,
      otlpUrl: config.otlpUrl,
    }),
  )
  const database = (component: string, url: string, poolMax: number) =>
    resources.use(
      createDatabase({
        url,
        poolMin: config.database.poolMin,
        poolMax,
        tls: config.database,
        responseTimeoutMs: config.database.statementTimeoutMs + RESPONSE_MARGIN_MS,
        onError: errors.for(component),
        onAnnounced: (topic) => announcements.announce(topic),
      }),
    )
  const redis = (component: string, url: string) => {
    const name = `${config.service}-${component}`
    const client = createRedis(url, { name, onError: errors.for(component) })
    return resources.adopt(client, () => client.disconnect())
  }
  const appPoolMax = config.database.poolMax ?? pools.app ?? APP_POOL_MAX
  const db = database('database', config.appUrl, appPoolMax)
  const relayDb = database('relay-database', config.relayUrl, pools.relay ?? RELAY_POOL_MAX)
  const announcements = resources.use(openAnnouncements({ config, schema, relayDb, errors }))
  const measured: Record<string, Database> = { app: db, relay: relayDb }
  poolMetrics(metrics, measured)
  const openDatabase = (name: string, url: string, poolMax: number) => {
    const opened = database(`${name}-database`, url, poolMax)
    measured[name] = opened
    return opened
  }
  const sessionRedis = redis('session-redis', config.redisSessionUrl)
  const cacheRedis = redis('cache-redis', config.redisCacheUrl)
  return {
    config,
    schema,
    clock,
    logger,
    metrics,
    tracer,
    errors,
    db,
    relayDb,
    announcements,
    openDatabase,
    keys: createKeySpace(config.service),
    sessionRedis,
    cacheRedis,
    bus: resources.use(createBus(config, sessionRedis, metrics)),
    use: (resource) => resources.use(resource),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

type AnnouncementDeps = Pick<ServiceBase, 'config' | 'schema' | 'relayDb' | 'errors'>

function openAnnouncements({ config, schema, relayDb, errors }: AnnouncementDeps): Announcements {
  return createAnnouncements({
    schema,
    url: config.relayUrl,
    tls: config.database,
    send: (statement) => relayDb.query(statement),
    onError: errors.for('announcements'),
  })
}
