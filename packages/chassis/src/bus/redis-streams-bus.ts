import { type Clock, systemClock } from '../clock/index.ts'
import type { Redis } from '../redis/index.ts'
import type { EventBus } from './event-bus.ts'
import { createStreamPublisher } from './stream-publisher.ts'
import { StreamSubscription } from './stream-subscription.ts'

export interface RedisStreamsBusOptions {
  /** The `noeviction` instance (D21): on the other one streams could vanish under pressure. */
  redis: Redis
  /**
   * Messages kept per subject, approximately. The oldest go when more arrive, read or not: a subscriber
   * that is further behind than this misses them on the bus. They stay in `outbox_published` for seven
   * days and can be replayed from there. A million messages of 1 KiB need about 1.2 GiB.
   */
  maxLength?: number
  clock?: Clock
}

const MAX_LENGTH = 1_000_000

export function createRedisStreamsBus(options: RedisStreamsBusOptions): EventBus {
  const { redis, clock = systemClock, maxLength = MAX_LENGTH } = options
  const subscriptions = new Set<StreamSubscription>()
  return {
    publish: createStreamPublisher(redis, maxLength),
    async subscribe(subscribeOptions, handle) {
      const input = { redis, options: subscribeOptions, clock, handle }
      const subscription = await StreamSubscription.open(input)
      subscriptions.add(subscription)
      return subscription
    },
    /** The connection belongs to the caller and stays open. */
    async [Symbol.asyncDispose]() {
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()))
    },
  }
}
