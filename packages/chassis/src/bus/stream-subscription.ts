import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock/index.ts'
import type { Redis } from '../redis/index.ts'
import { type Delivery, Dispatcher } from './dispatcher.ts'
import type { InboundMessage, MessageHandler, SubscribeOptions, Subscription } from './event-bus.ts'
import {
  createStreamGroup,
  readEntries,
  type StreamEntry,
  type StreamGroup,
} from './stream-group.ts'
import { streamKey } from './stream-keys.ts'
import { createStreamLease, type StreamLease } from './stream-lease.ts'
import { subscribeDefaults } from './subscribe-defaults.ts'

interface SubjectState {
  lease: StreamLease
  /** Where the recovery of unacknowledged messages stands; null once it is complete. */
  recoverFrom: string | null
}

const BLOCK_MS = 250
const READ_COUNT = 128
const PAUSE_AFTER_ERROR_MS = 200

/**
 * Reads the subjects whose lease this process holds. After taking a lease, and after every lost answer, it
 * first goes through what is pending in the group, oldest first, and only then asks for new messages:
 * a message left behind by a dead consumer is never overtaken by its successors.
 */
export class StreamSubscription implements Subscription {
  readonly #options: SubscribeOptions
  readonly #blocking: Redis
  readonly #group: StreamGroup
  readonly #consumer: string
  readonly #dispatcher: Dispatcher
  readonly #subjects = new Map<string, SubjectState>()
  readonly #inProcess = new Set<string>()
  readonly #settings: ReturnType<typeof subscribeDefaults>
  readonly #done: Promise<unknown>
  #stopping = false
  #wakeKeeper: () => void = () => undefined

  private constructor(input: StreamSubscriptionInput, group: StreamGroup, consumer: string) {
    const { redis, options, clock } = input
    this.#options = options
    this.#group = group
    this.#consumer = consumer
    this.#settings = subscribeDefaults(options)
    this.#blocking = redis.duplicate(blockingSettings(options.subscription))
    this.#blocking.on('error', (error) => this.#settings.onError(error))
    this.#dispatcher = new Dispatcher({ ...this.#settings, clock, handle: input.handle })
    const { ackDeadlineMs: durationMs } = this.#settings
    for (const subject of options.subjects) {
      const lease = { redis, subscription: options.subscription, subject, durationMs, clock }
      this.#subjects.set(subject, { lease: createStreamLease(lease), recoverFrom: '0-0' })
    }
    this.#done = Promise.all([this.#keepLeases(), this.#readLoop()])
  }

  static async open(input: StreamSubscriptionInput): Promise<StreamSubscription> {
    const consumer = `${process.pid}-${randomUUID()}`
    const group = createStreamGroup(input.redis, input.options.subscription, consumer)
    for (const subject of input.options.subjects) await group.ensure(subject)
    return new StreamSubscription(input, group, consumer)
  }

  async stop(): Promise<void> {
    if (this.#stopping) return void (await this.#done)
    this.#stopping = true
    this.#wakeKeeper()
    await this.#dispatcher.stop(this.#settings.drainMs)
    await this.#done
    for (const { lease } of this.#subjects.values()) {
      await lease.release().catch(this.#settings.onError)
    }
    this.#blocking.disconnect()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #keepLeases(): Promise<void> {
    while (!this.#stopping) {
      for (const state of this.#subjects.values()) await this.#keepLease(state)
      if (this.#stopping) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#settings.ackDeadlineMs / 3)
        this.#wakeKeeper = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  async #keepLease(state: SubjectState): Promise<void> {
    try {
      if ((await state.lease.hold()) === 'taken') state.recoverFrom = '0-0'
    } catch (error) {
      this.#report(error)
    }
  }

  async #readLoop(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#readOnce()
      } catch (error) {
        await this.#afterReadError(error)
      }
    }
  }

  async #readOnce(): Promise<void> {
    await this.#dispatcher.waitForRoom(BLOCK_MS)
    if (this.#dispatcher.room === 0) return
    const held = [...this.#subjects].filter(([, state]) => state.lease.isHeld())
    if (held.length === 0) return sleep(Math.min(BLOCK_MS, this.#settings.ackDeadlineMs / 10))
    const recovering = held.find(([, state]) => state.recoverFrom !== null)
    if (recovering !== undefined) return this.#recover(...recovering)
    await this.#readNew(held.map(([subject]) => subject))
  }

  async #recover(subject: string, state: SubjectState): Promise<void> {
    const { next, entries } = await this.#group.claimPending(subject, state.recoverFrom ?? '0-0')
    const counts = await this.#group.deliveryCounts(subject, entries)
    for (const entry of entries) this.#dispatch(subject, entry, counts.get(entry.id) ?? 1)
    state.recoverFrom = next === '0-0' ? null : next
    if (state.recoverFrom === null) await this.#group.forgetIdleConsumers(subject)
  }

  async #readNew(subjects: readonly string[]): Promise<void> {
    const count = Math.max(
      1,
      Math.floor(Math.min(this.#dispatcher.room, READ_COUNT) / subjects.length),
    )
    const { subscription } = this.#options
    const source = ['GROUP', subscription, this.#consumer, 'COUNT', count, 'BLOCK', BLOCK_MS]
    const keys = subjects.map(streamKey)
    const args = [...source, 'STREAMS', ...keys, ...keys.map(() => '>')]
    const reply = await this.#blocking.call('XREADGROUP', args)
    const streams: unknown[] = Array.isArray(reply) ? reply : []
    for (const stream of streams) {
      if (!Array.isArray(stream)) continue
      const subject = subjects.find((name) => streamKey(name) === stream[0])
      if (subject === undefined) continue
      for (const entry of readEntries(stream[1])) this.#dispatch(subject, entry, 1)
    }
  }

  #dispatch(subject: string, entry: StreamEntry, deliveryCount: number): void {
    if (this.#inProcess.has(entry.id + subject)) return
    this.#inProcess.add(entry.id + subject)
    this.#dispatcher.push(this.#delivery(readMessage(subject, entry, deliveryCount), entry))
  }

  #delivery(message: InboundMessage, entry: StreamEntry): Delivery {
    const { subject } = message
    const state = this.#subjects.get(subject)
    const finish = () => void this.#inProcess.delete(entry.id + subject)
    // It stays pending at the broker, and only a recovery reads it again.
    const leave = () => {
      finish()
      if (state !== undefined) state.recoverFrom = '0-0'
    }
    const delivery: Delivery = {
      message,
      acknowledge: async () => {
        await this.#group.acknowledge(subject, entry.id).then(finish, (error: unknown) => {
          leave()
          throw error
        })
      },
      bury: (reason) => this.#group.bury(subject, entry, reason).then(finish),
      recordRetry: () => {
        const count = delivery.message.deliveryCount
        return this.#group.recordDelivery(subject, { id: entry.id, count })
      },
      isOurs: () => state?.lease.isHeld() ?? false,
      giveBack: leave,
    }
    return delivery
  }

  /** The answer may have been lost on its way, with messages already assigned to us. */
  async #afterReadError(error: unknown): Promise<void> {
    this.#report(error)
    for (const state of this.#subjects.values()) state.recoverFrom = '0-0'
    await sleep(PAUSE_AFTER_ERROR_MS)
    if (!(error instanceof Error && error.message.includes('NOGROUP'))) return
    for (const subject of this.#subjects.keys()) {
      await this.#group.ensure(subject).catch((failure: unknown) => this.#report(failure))
    }
  }

  #report(error: unknown): void {
    this.#settings.onError(error instanceof Error ? error : new Error(String(error)))
  }
}

export interface StreamSubscriptionInput {
  redis: Redis
  options: SubscribeOptions
  clock: Clock
  handle: MessageHandler
}

function readMessage(subject: string, entry: StreamEntry, deliveryCount: number): InboundMessage {
  const { k = '', e = '', b = '', a = '{}' } = entry.fields
  const attributes: Record<string, string> = JSON.parse(a)
  return {
    brokerId: entry.id,
    eventId: e,
    subject,
    orderingKey: k,
    body: b,
    attributes,
    deliveryCount,
  }
}

/** A blocking read outlasts the limits made for commands. */
function blockingSettings(subscription: string) {
  return {
    connectionName: `bus-${subscription}`,
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
    commandTimeout: undefined,
    socketTimeout: undefined,
  }
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
