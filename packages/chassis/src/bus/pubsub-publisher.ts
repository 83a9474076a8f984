import type { PubSub, Topic } from '@google-cloud/pubsub'
import type { OutboundMessage, PublishOutcome } from './event-bus.ts'
import { isNotFound, publishFailure } from './pubsub-errors.ts'
import type { Topology } from './pubsub-topology.ts'

export interface PubSubPublisherOptions {
  pubsub: PubSub
  topology: Topology
  publishTimeoutMs: number
}

const BATCHING = { maxMessages: 100, maxMilliseconds: 5 }

/**
 * The library has a queue per ordering key and stops it at the first failure, so later messages of
 * the key fail too. Once all outcomes of a call are known, publishing resumes for these keys.
 */
export function createPubSubPublisher(options: PubSubPublisherOptions) {
  const { pubsub, topology, publishTimeoutMs } = options
  const topics = new Map<string, Topic>()
  const topicOf = (subject: string): Topic => {
    const known = topics.get(subject)
    if (known !== undefined) return known
    // The relay retries, with its own back-off and count.
    const gaxOpts = { timeout: publishTimeoutMs, retry: null }
    const topic = pubsub.topic(subject, { messageOrdering: true, batching: BATCHING, gaxOpts })
    topics.set(subject, topic)
    return topic
  }
  const publishOne = async (message: OutboundMessage): Promise<PublishOutcome> => {
    const { subject, orderingKey, eventId, body } = message
    const attributes = { ...message.attributes, eventId }
    try {
      await topicOf(subject).publishMessage({ data: Buffer.from(body), orderingKey, attributes })
      return { ok: true }
    } catch (error) {
      if (isNotFound(error)) topology.forgetTopic(subject)
      return publishFailure(error)
    }
  }
  return async (messages: readonly OutboundMessage[]): Promise<PublishOutcome[]> => {
    try {
      const subjects = new Set(messages.map((message) => message.subject))
      await Promise.all([...subjects].map((subject) => topology.ensureTopic(subject)))
    } catch (error) {
      return messages.map(() => publishFailure(error))
    }
    const outcomes = await Promise.all(messages.map(publishOne))
    messages.forEach((message, index) => {
      if (outcomes[index]?.ok) return
      topicOf(message.subject).resumePublishing(message.orderingKey)
    })
    return outcomes
  }
}
