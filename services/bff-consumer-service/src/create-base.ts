import { createDatabase } from '@melmastoon/chassis/db'
import { createRedis } from '@melmastoon/chassis/redis'
import {
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
  const onError = (error: unknown) =>
    logger.warn({ event: 'dependency', error }, 'dependency error')
  const database = (url: string, poolMax: number) => createDatabase({ url, poolMax, onError })
  const redis = (url: string, name: string) => createRedis(url, { name, onError })
  const db = database(config.appUrl, POOL_MAX)
  const relayDb = database(config.relayUrl, RELAY_POOL_MAX)
  const sessionRedis = redis(config.redisSessionUrl, 'consumer-session')
  const cacheRedis = redis(config.redisCacheUrl, 'consumer-cache')
  const metrics = createMetrics('bff_consumer', { process: true })
  poolMetrics(metrics, { app: db, relay: relayDb })
  return {
    logger,
    tracer,
    metrics,
    onError,
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
