import { createPubSubBus, createRedisStreamsBus, type EventBus } from '@melmastoon/chassis/bus'
import type { Redis } from '@melmastoon/chassis/redis'
import { busMetrics, type Metrics } from '@melmastoon/chassis/telemetry'
import type { ConsumerConfig } from './config.ts'

/** Streams live on the instance that evicts nothing (D21). */
export function createBus(config: ConsumerConfig, sessionRedis: Redis, metrics: Metrics): EventBus {
  return config.eventTransport === 'pubsub'
    ? createPubSubBus({ projectId: config.pubSubProject })
    : createRedisStreamsBus({ redis: sessionRedis, ...busMetrics(metrics) })
}
