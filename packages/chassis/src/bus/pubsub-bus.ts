import { type Clock, systemClock } from '../clock/index.ts'
import type { EventBus, Subscription } from './event-bus.ts'
import { createPubSubPublisher } from './pubsub-publisher.ts'
import { openPubSubSubscription } from './pubsub-subscription.ts'
import { createTopology } from './pubsub-topology.ts'

export interface PubSubBusOptions {
  projectId: string
  /**
   * `host:port` of the emulator. Set METADATA_SERVER_DETECTION=none in the environment as well,
   * else the auth library looks for a metadata server first.
   */
  emulatorHost?: string
  publishTimeoutMs?: number
  clock?: Clock
}

/** Shorter than the relay's timeout, so that the library's queue of the key is released in time. */
const PUBLISH_TIMEOUT_MS = 4_000

/**
 * Topic = subject, subscription = `<subscription>.<subject>`, dead letters in a separate topic with
 * a subscription. In production the Pub/Sub service agent needs permission to publish to the
 * dead-letter topics and to acknowledge on the subscriptions.
 */
export function createPubSubBus(options: PubSubBusOptions): EventBus {
  const opening = openClient(options)
  // Callers of the bus receive the failure; without this it would also be an unhandled rejection.
  opening.catch(() => undefined)
  const subscriptions = new Set<Subscription>()
  return {
    publish: async (messages) => (await opening).publish(messages),
    async subscribe(subscribeOptions, handle) {
      const { publish: _, ...client } = await opening
      const input = { ...client, options: subscribeOptions, handle }
      const subscription = await openPubSubSubscription(input)
      subscriptions.add(subscription)
      return subscription
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()))
      await (await opening).pubsub.close()
    },
  }
}

/** Loaded on first use: the library adds a second to start-up, which other transports avoid. */
async function openClient({ projectId, emulatorHost, ...rest }: PubSubBusOptions) {
  const { Duration, PubSub } = await import('@google-cloud/pubsub')
  const pubsub = new PubSub({
    projectId,
    ...(emulatorHost !== undefined && { apiEndpoint: emulatorHost, emulatorMode: true }),
  })
  const publishTimeoutMs = rest.publishTimeoutMs ?? PUBLISH_TIMEOUT_MS
  const topology = createTopology(pubsub, publishTimeoutMs)
  const publish = createPubSubPublisher({ pubsub, topology, publishTimeoutMs })
  const durationOf = (milliseconds: number) => Duration.from({ milliseconds })
  return { pubsub, topology, publish, durationOf, clock: rest.clock ?? systemClock }
}
