import type { Duration, Message, PubSub, Subscription as Source } from '@google-cloud/pubsub'
import { type Clock, pause } from '../clock/index.ts'
import { type Delivery, Dispatcher } from './dispatcher.ts'
import type { InboundMessage, MessageHandler, SubscribeOptions, Subscription } from './event-bus.ts'
import { subscriptionName, type Topology } from './pubsub-topology.ts'
import { subscribeDefaults } from './subscribe-defaults.ts'

export interface PubSubSubscriptionInput {
  pubsub: PubSub
  topology: Topology
  options: SubscribeOptions
  clock: Clock
  handle: MessageHandler
  /** The class of the library, which is loaded on first use. */
  durationOf: (milliseconds: number) => Duration
}

const RETRY_MS = 1_000
/** Time limit for returning messages that were not started when the subscription closes. */
const RELEASE_MS = 1_000

/**
 * Failed messages are retried in this process while the library extends their deadline, which
 * preserves the order of their key; redelivery and dead-lettering by Pub/Sub are for crashes.
 * Resolves after the first attempt to open all subjects; subjects that failed are retried.
 */
export async function openPubSubSubscription(
  input: PubSubSubscriptionInput,
): Promise<Subscription> {
  const { options, clock, handle } = input
  const settings = subscribeDefaults(options)
  const dispatcher = new Dispatcher({ ...settings, clock, handle })
  const sources: Source[] = []
  const waiting = new Set(options.subjects)
  const ending = new AbortController()
  const openAll = async () => {
    for (const subject of waiting) {
      const source = await openSource(input, subject, dispatcher)
      if (ending.signal.aborted) {
        await source.close()
        return
      }
      source.on('message', (message: Message) => {
        // Returned now, it would be redelivered immediately; closing returns all messages once.
        if (ending.signal.aborted) return
        const deadLetterName = settings.deadLetterName(subject)
        dispatcher.push(toDelivery(input.pubsub, message, { deadLetterName, subject }))
      })
      sources.push(source)
      waiting.delete(subject)
    }
  }
  const keepTrying = async () => {
    while (waiting.size > 0 && !ending.signal.aborted) {
      await pause(RETRY_MS, ending.signal)
      if (!ending.signal.aborted) await openAll().catch(settings.onError)
    }
  }
  await openAll().catch(settings.onError)
  void keepTrying()
  let stopped: Promise<void> | undefined
  const stop = async () => {
    ending.abort()
    await dispatcher.stop(settings.drainMs)
    await Promise.all(sources.map((source) => source.close()))
  }
  return {
    stop: () => (stopped ??= stop()),
    [Symbol.asyncDispose]: () => (stopped ??= stop()),
  }
}

async function openSource(
  { pubsub, topology, options, durationOf }: PubSubSubscriptionInput,
  subject: string,
  { room }: Dispatcher,
): Promise<Source> {
  const { subscription } = options
  const settings = subscribeDefaults(options)
  const { maxDeliveries, ackDeadlineMs, onError } = settings
  const deadLetterName = settings.deadLetterName(subject)
  await topology.ensure({ subscription, subject, deadLetterName, maxDeliveries, ackDeadlineMs })
  const source = pubsub.subscription(subscriptionName(subscription, subject), {
    flowControl: { maxMessages: room, allowExcessMessages: false },
    closeOptions: { behavior: 'NACK', timeout: durationOf(RELEASE_MS) },
  })
  source.on('error', onError)
  return source
}

interface Place {
  deadLetterName: string
  subject: string
}

function toDelivery(
  pubsub: PubSub,
  message: Message,
  { deadLetterName, subject }: Place,
): Delivery {
  const delivery: Delivery = {
    message: toInbound(message, subject),
    acknowledge: async () => message.ack(),
    async deadLetter(reason) {
      const deliveries = String(delivery.message.deliveryCount)
      const attributes = { ...message.attributes, subject, deliveries, deadLetterReason: reason }
      await pubsub.topic(deadLetterName).publishMessage({ data: message.data, attributes })
      message.ack()
    },
    // Pub/Sub counts its deliveries; retries within this process are counted here.
    recordRetry: () => Promise.resolve(),
    isOurs: () => true,
    // Closing the source returns the message.
    release: () => undefined,
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
