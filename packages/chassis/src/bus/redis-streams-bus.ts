import { type Clock, systemClock } from '../clock/index.ts'
import type { Redis } from '../redis/index.ts'
import { createStreamDeadLetters } from './dead-letters.ts'
import type { EventBus } from './event-bus.ts'
import { createStreamEpoch } from './stream-epoch.ts'
import { createStreamPublisher } from './stream-publisher.ts'
import { StreamSubscription } from './stream-subscription.ts'

export interface RedisStreamsBusOptions {
  /** The `noeviction` instance (D21): the other one may evict streams when memory is short. */
  redis: Redis
  /**
   * Messages retained per subject, approximately. Messages that every subscription acknowledged are
   * freed before; an active consumer that is this far behind makes `publish` wait; messages of a
   * subscription without a consumer are dropped, oldest first, and replayed from `outbox_published`
   * when it returns.
   */
  maxLength?: number
  /** `count` messages were dropped that a subscription had not acknowledged. */
  onTrimmed?: (trimmed: { subject: string; count: number }) => void
  clock?: Clock
}

/** The server is shared with the sessions, so one subject gets a tenth of its 512 MB at most. */
const BUDGET_BYTES = 48 * 1_024 * 1_024
const TYPICAL_BYTES = 1_200
const LENGTH_MAX = Math.floor(BUDGET_BYTES / TYPICAL_BYTES)

export function createRedisStreamsBus(options: RedisStreamsBusOptions): EventBus {
  const { redis, clock = systemClock, maxLength = LENGTH_MAX } = options
  const subscriptions = new Set<StreamSubscription>()
  const { epoch, expectedName } = createStreamEpoch(redis)
  return {
    publish: createStreamPublisher({
      redis,
      maxLength,
      expectedEpoch: expectedName,
      onTrimmed: options.onTrimmed ?? (() => undefined),
    }),
    epoch,
    deadLetters: createStreamDeadLetters(redis),
    subscribe(subscribeOptions, handle) {
      const subscription = new StreamSubscription({
        redis,
        options: subscribeOptions,
        clock,
        handle,
      })
      subscriptions.add(subscription)
      return Promise.resolve(subscription)
    },
    /** The connection belongs to the caller and stays open. */
    async [Symbol.asyncDispose]() {
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()))
    },
  }
}
