import { createBus, type EventBus } from '@melmastoon/chassis/bus'
import { createDatabase } from '@melmastoon/chassis/db'
import { createIdempotency, type IdempotencyStore } from '@melmastoon/chassis/idempotency'
import { createRedis, type Redis } from '@melmastoon/chassis/redis'
import {
  createErrorReporter,
  createLogger,
  createMetrics,
  createTracer,
  type ErrorReporter,
  type Tracer,
} from '@melmastoon/chassis/telemetry'
import { platformRegistry } from '@melmastoon/platform-events'
import { type ServiceVerifier, sharedSecretVerifier } from '@melmastoon/upstream-contracts/auth'
import type { SandboxConfig } from './config.ts'
import { SANDBOX_SCHEMA } from './migrations.ts'
import type { ModuleHost } from './module.ts'
import { createModules, type Modules } from './modules.ts'
import { createScenarioBoard, type StartedBoard } from './scenarios/create-scenario-board.ts'

const POOL_MAX = 24
const RELAY_POOL_MAX = 6

export interface SandboxContext extends ModuleHost, AsyncDisposable {
  readonly scenarios: StartedBoard
  readonly tracer: Tracer
  readonly errors: ErrorReporter
  readonly redis: Redis
  readonly bus: EventBus
  readonly idempotency: IdempotencyStore
  readonly verifier: ServiceVerifier
  readonly modules: Modules
}

/** The composition root: every collaborator, built once, in the order they need each other. */
export function createContext(config: SandboxConfig): SandboxContext {
  const logger = createLogger({ service: config.service, level: config.logLevel })
  const metrics = createMetrics('sandbox', { process: true })
  const tracer = createTracer({
    service: config.service,
    instance: config.instance,
    sampleRatio: config.traceSampleRatio,
    otlpUrl: config.otlpUrl,
  })
  const errors = createErrorReporter({ logger, metrics })
  const database = (url: string, poolMax: number, component: string) =>
    createDatabase({ url, poolMax, onError: errors.for(component) })
  const db = database(config.appUrl, POOL_MAX, 'database')
  const relayDb = database(config.relayUrl, RELAY_POOL_MAX, 'relay-database')
  const redis = createRedis(config.redisSessionUrl, {
    name: 'sandbox',
    onError: errors.for('session-redis'),
  })
  const bus = createBus(config, redis, metrics)
  const scenarios = createScenarioBoard({ db, onError: errors.for('scenarios') })
  const host = {
    config,
    db,
    relayDb,
    registry: platformRegistry,
    scenarios,
    logger,
    metrics,
    errors,
  }
  return {
    ...host,
    tracer,
    errors,
    redis,
    bus,
    idempotency: createIdempotency({
      db,
      schema: SANDBOX_SCHEMA,
      secret: Buffer.from(config.secrets.idempotency.reveal()),
      metrics,
    }),
    verifier: sharedSecretVerifier(config.secrets.service.reveal()),
    modules: createModules(host),
    async [Symbol.asyncDispose]() {
      scenarios[Symbol.dispose]()
      await bus[Symbol.asyncDispose]()
      redis.disconnect()
      await Promise.allSettled([db[Symbol.asyncDispose](), relayDb[Symbol.asyncDispose]()])
      await tracer[Symbol.asyncDispose]()
    },
  }
}
