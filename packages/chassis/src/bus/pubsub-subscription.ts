import type { Message, PubSub, Subscription as Source } from '@google-cloud/pubsub'
import type { Clock } from '../clock/index.ts'
import { type Delivery, Dispatcher } from './dispatcher.ts'
import type { InboundMessage, MessageHandler, SubscribeOptions, Subscription } from './event-bus.ts'
import { deadLetterName, subscriptionName, type Topology } from './pubsub-topology.ts'
import { subscribeDefaults } from './subscribe-defaults.ts'

export interface PubSubSubscriptionInput {
  pubsub: PubSub
  topology: Topology
  options: SubscribeOptions
  clock: Clock
  handle: MessageHandler
}

/**
 * Failed messages are tried again in this process while the library extends their deadline, which
 * keeps the order of their key; the service's own redelivery and dead-letter policy are for
 * crashes.
 */
export async function openPubSubSubscription(
  input: PubSubSubscriptionInput,
): Promise<Subscription> {
  const { pubsub, topology, options, clock, handle } = input
  const settings = subscribeDefaults(options)
  const dispatcher = new Dispatcher({ ...settings, clock, handle })
  const sources: Source[] = []
  for (const subject of options.subjects) {
    const { subscription } = options
    const { maxDeliveries, ackDeadlineMs } = settings
    await topology.ensure({ subscription, subject, maxDeliveries, ackDeadlineMs })
    const source = pubsub.subscription(subscriptionName(subscription, subject), {
      flowControl: { maxMessages: dispatcher.room, allowExcessMessages: false },
    })
    source.on('error', settings.onError)
    source.on('message', (message: Message) => {
      dispatcher.push(toDelivery(pubsub, message, { subscription, subject }))
    })
    sources.push(source)
  }
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await dispatcher.stop(settings.drainMs)
    await Promise.all(sources.map((source) => source.close()))
  }
  return {
    stop: () => (stopped ??= stop()),
    [Symbol.asyncDispose]: () => (stopped ??= stop()),
  }
}

interface Place {
  subscription: string
  subject: string
}

function toDelivery(pubsub: PubSub, message: Message, { subscription, subject }: Place): Delivery {
  const delivery: Delivery = {
    message: toInbound(message, subject),
    acknowledge: async () => message.ack(),
    async bury(reason) {
      const deliveries = String(delivery.message.deliveryCount)
      const attributes = { ...message.attributes, subject, deliveries, deadLetterReason: reason }
      await pubsub
        .topic(deadLetterName(subscription, subject))
        .publishMessage({ data: message.data, attributes })
      message.ack()
    },
    // The service counts its own deliveries; tries within this process are counted here.
    recordRetry: () => Promise.resolve(),
    isOurs: () => true,
    giveBack: () => message.nack(),
  }
  return delivery
}

function toInbound(message: Message, subject: string): InboundMessage {
  const { eventId = '', ...attributes } = message.attributes
  return {
    brokerId: message.id,
    eventId,
    subject,
    orderingKey: message.orderingKey ?? '',
    body: message.data.toString('utf8'),
    attributes,
    deliveryCount: Math.max(1, message.deliveryAttempt),
  }
}
