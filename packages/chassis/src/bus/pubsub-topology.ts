import type { CreateSubscriptionOptions, PubSub } from '@google-cloud/pubsub'
import { isAlreadyExists } from './pubsub-errors.ts'

/** Pub/Sub's bounds for `maxDeliveryAttempts` and `ackDeadlineSeconds`. */
const DELIVERIES = { min: 5, max: 100 }
const ACK_SECONDS = { min: 10, max: 600 }
const RETENTION_SECONDS = 7 * 24 * 3_600

export const subscriptionName = (subscription: string, subject: string) =>
  `${subscription}.${subject}`

export interface SubscriptionSpec {
  subscription: string
  subject: string
  deadLetterName: string
  maxDeliveries: number
  ackDeadlineMs: number
}

/** Creates missing topics and subscriptions; existing ones are not changed. */
export function createTopology(pubsub: PubSub, timeoutMs: number) {
  const gaxOpts = { timeout: timeoutMs, retry: null }
  const topics = new Map<string, Promise<void>>()
  const ensureTopic = (name: string): Promise<void> => {
    const known = topics.get(name)
    if (known !== undefined) return known
    const made = tolerate(pubsub.createTopic(name, gaxOpts))
    topics.set(name, made)
    made.catch(() => topics.delete(name))
    return made
  }
  const ensureSubscription = (topic: string, name: string, options: CreateSubscriptionOptions) =>
    tolerate(pubsub.createSubscription(topic, name, { ...options, gaxOpts }))
  return {
    ensureTopic,
    forgetTopic: (name: string) => topics.delete(name),
    /** A dead-letter topic without a subscription loses its messages, so it gets one too. */
    async ensure(spec: SubscriptionSpec): Promise<void> {
      const dead = spec.deadLetterName
      await ensureTopic(spec.subject)
      await ensureTopic(dead)
      await ensureSubscription(dead, dead, { messageRetentionDuration: RETENTION_SECONDS })
      const name = subscriptionName(spec.subscription, spec.subject)
      await ensureSubscription(spec.subject, name, {
        enableMessageOrdering: true,
        ackDeadlineSeconds: clamp(Math.ceil(spec.ackDeadlineMs / 1_000), ACK_SECONDS),
        messageRetentionDuration: RETENTION_SECONDS,
        expirationPolicy: { ttl: null },
        retryPolicy: { minimumBackoff: { seconds: 1 }, maximumBackoff: { seconds: 300 } },
        deadLetterPolicy: {
          deadLetterTopic: `projects/${pubsub.projectId}/topics/${dead}`,
          maxDeliveryAttempts: clamp(spec.maxDeliveries, DELIVERIES),
        },
      })
    },
  }
}

export type Topology = ReturnType<typeof createTopology>

async function tolerate(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

function clamp(value: number, { min, max }: { min: number; max: number }): number {
  return Math.min(max, Math.max(min, value))
}
