import { createDatabase } from '@melmastoon/chassis/db'
import { createRedis } from '@melmastoon/chassis/redis'
import {
  createErrorReporter,
  createLogger,
  createMetrics,
  createTracer,
  poolMetrics,
} from '@melmastoon/chassis/telemetry'
import type { ConsumerConfig } from './config.ts'

const POOL_MAX = 8
const RELAY_POOL_MAX = 6

/** Logs, metrics, traces and connections: what everything else is built upon. */
export function createBase(config: ConsumerConfig) {
  const logger = createLogger({ service: config.service, level: config.logLevel })
  const tracer = createTracer({
    service: config.service,
    instance: config.instance,
    sampleRatio: config.traceSampleRatio,
    otlpUrl: config.otlpUrl,
  })
  const metrics = createMetrics('bff_consumer', { process: true })
  const errors = createErrorReporter({ logger, metrics })
  const database = (url: string, poolMax: number, component: string) =>
    createDatabase({ url, poolMax, onError: errors.for(component) })
  const redis = (url: string, component: string) =>
    createRedis(url, { name: `consumer-${component}`, onError: errors.for(component) })
  const db = database(config.appUrl, POOL_MAX, 'database')
  const relayDb = database(config.relayUrl, RELAY_POOL_MAX, 'relay-database')
  const sessionRedis = redis(config.redisSessionUrl, 'session-redis')
  const cacheRedis = redis(config.redisCacheUrl, 'cache-redis')
  poolMetrics(metrics, { app: db, relay: relayDb })
  return {
    logger,
    tracer,
    metrics,
    errors,
    db,
    relayDb,
    sessionRedis,
    cacheRedis,
    async [Symbol.asyncDispose]() {
      sessionRedis.disconnect()
      cacheRedis.disconnect()
      await Promise.allSettled([db[Symbol.asyncDispose](), relayDb[Symbol.asyncDispose]()])
      await tracer[Symbol.asyncDispose]()
    },
  }
}
