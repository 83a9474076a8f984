import type { Redis } from '../redis/index.ts'
import { busMetrics, type Metrics } from '../telemetry/index.ts'
import type { EventBus } from './event-bus.ts'
import { createPubSubBus } from './pubsub-bus.ts'
import { createRedisStreamsBus } from './redis-streams-bus.ts'

export interface BusConfig {
  readonly eventTransport: 'redis-streams' | 'pubsub'
  readonly pubSubProject: string
}

/** The configured transport. Streams live on the Redis that evicts nothing (D21). */
export function createBus(config: BusConfig, sessionRedis: Redis, metrics: Metrics): EventBus {
  return config.eventTransport === 'pubsub'
    ? createPubSubBus({ projectId: config.pubSubProject })
    : createRedisStreamsBus({ redis: sessionRedis, ...busMetrics(metrics) })
}
