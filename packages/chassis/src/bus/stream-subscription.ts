import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock/index.ts'
import { isReady, type Redis } from '../redis/index.ts'
import { MessagesLost } from './delivery-errors.ts'
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

interface Recovery {
  from: string
  /** Younger ones are left to their consumer; 0 takes everything. */
  minIdleMs: number
}

interface SubjectState {
  lease: StreamLease
  hasGroup: boolean
  /** Where the recovery of unacknowledged messages stands; null once it is complete. */
  recovery: Recovery | null
}

const EVERYTHING: Recovery = { from: '0-0', minIdleMs: 0 }
const BLOCK_MS = 250
const READ_COUNT = 128
const PAUSE_AFTER_ERROR_MS = 200
/** An unavailable server is tried again after this, if not sooner. */
const RETRY_MS = 1_000

/**
 * Reads the subjects whose lease this process holds. After taking a lease, and after every lost
 * answer, it first goes through what is pending in the group, oldest first, and only then asks for
 * new messages: a message left behind by a dead consumer is never overtaken by its successors.
 * With every renewal it takes over what lay idle for the length of a lease, which a consumer that
 * lost its lease may have read, and frees what every group is done with.
 */
export class StreamSubscription implements Subscription {
  readonly #options: SubscribeOptions
  readonly #blocking: Redis
  readonly #group: StreamGroup
  readonly #consumer = `${process.pid}-${randomUUID()}`
  readonly #dispatcher: Dispatcher
  readonly #subjects = new Map<string, SubjectState>()
  readonly #inProcess = new Set<string>()
  readonly #settings: ReturnType<typeof subscribeDefaults>
  readonly #reading: Promise<void>
  readonly #keeping: Promise<void>
  #stopped: Promise<void> | undefined
  #isReading = true
  #isKeeping = true
  #wakeKeeper: () => void = () => undefined

  constructor(input: StreamSubscriptionInput) {
    const { redis, options, clock } = input
    this.#options = options
    this.#settings = subscribeDefaults(options)
    this.#group = createStreamGroup(redis, {
      group: options.subscription,
      consumer: this.#consumer,
      deadLetterName: this.#settings.deadLetterName,
    })
    this.#blocking = redis.duplicate(blockingSettings(options.subscription))
    this.#blocking.on('error', (error) => this.#settings.onError(error))
    this.#dispatcher = new Dispatcher({ ...this.#settings, clock, handle: input.handle })
    const { ackDeadlineMs: durationMs } = this.#settings
    for (const subject of options.subjects) {
      const lease = { redis, subscription: options.subscription, subject, durationMs, clock }
      const state = { lease: createStreamLease(lease), hasGroup: false, recovery: EVERYTHING }
      this.#subjects.set(subject, state)
    }
    this.#keeping = this.#keepLeases()
    this.#reading = this.#readLoop()
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#end()
    return this.#stopped
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** No more reading first, then the running handlers under their lease, then the lease. */
  async #end(): Promise<void> {
    this.#isReading = false
    this.#blocking.disconnect()
    await this.#dispatcher.stop(this.#settings.drainMs)
    this.#isKeeping = false
    this.#wakeKeeper()
    await Promise.all([this.#reading, this.#keeping])
    const leases = [...this.#subjects.values()].map(({ lease }) => lease.release())
    await Promise.all(leases.map((released) => released.catch(this.#settings.onError)))
  }

  async #keepLeases(): Promise<void> {
    const beatMs = this.#settings.ackDeadlineMs / 3
    while (this.#isKeeping) {
      let allKept = true
      for (const [subject, state] of this.#subjects) {
        if (this.#isKeeping && !(await this.#keepLease(subject, state))) allKept = false
      }
      if (!this.#isKeeping) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, allKept ? beatMs : Math.min(beatMs, RETRY_MS))
        this.#wakeKeeper = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  async #keepLease(subject: string, state: SubjectState): Promise<boolean> {
    try {
      if (!state.hasGroup) await this.#group.ensure(subject)
      state.hasGroup = true
      const held = await state.lease.hold()
      if (held === 'taken') state.recovery = EVERYTHING
      if (held === 'renewed') await this.#tidy(subject, state)
      return true
    } catch (error) {
      this.#afterError(error)
      return false
    }
  }

  async #tidy(subject: string, state: SubjectState): Promise<void> {
    const { ackDeadlineMs } = this.#settings
    state.recovery ??= { from: '0-0', minIdleMs: ackDeadlineMs }
    await this.#group.trimAcknowledged(subject)
    await this.#group.forgetIdleConsumers(subject, ackDeadlineMs * 2)
  }

  async #readLoop(): Promise<void> {
    while (this.#isReading) {
      try {
        await this.#readOnce()
      } catch (error) {
        if (!this.#isReading) return
        this.#afterError(error)
        // The reply may have been lost with messages already assigned to us.
        for (const state of this.#subjects.values()) state.recovery = EVERYTHING
        await sleep(PAUSE_AFTER_ERROR_MS)
      }
    }
  }

  async #readOnce(): Promise<void> {
    await this.#dispatcher.waitForRoom(BLOCK_MS)
    if (this.#dispatcher.room === 0) return
    const held = [...this.#subjects].filter(([, state]) => state.hasGroup && state.lease.isHeld())
    if (held.length === 0 || !isReady(this.#blocking)) {
      return sleep(Math.min(BLOCK_MS, this.#settings.ackDeadlineMs / 10))
    }
    const recovering = held.find(([, state]) => state.recovery !== null)
    if (recovering !== undefined) return this.#recover(...recovering)
    await this.#readNew(held)
  }

  async #recover(subject: string, state: SubjectState): Promise<void> {
    const recovery = state.recovery ?? EVERYTHING
    const { next, entries, lost } = await this.#group.claimPending(subject, recovery)
    if (lost.length > 0) this.#settings.onError(new MessagesLost(subject, lost))
    for (const entry of entries) this.#dispatch(subject, entry, entry.deliveries + 1)
    // A new recovery may have been requested meanwhile.
    if (state.recovery !== recovery) return
    state.recovery = next === '0-0' ? null : { ...recovery, from: next }
  }

  async #readNew(held: readonly (readonly [string, SubjectState])[]): Promise<void> {
    const room = Math.min(this.#dispatcher.room, READ_COUNT)
    const count = Math.max(1, Math.floor(room / held.length))
    // Not beyond the lease: its next holder would not know what we read.
    const leftMs = Math.min(BLOCK_MS, ...held.map(([, { lease }]) => lease.remainingMs()))
    const blockMs = Math.max(1, Math.floor(leftMs))
    const { subscription } = this.#options
    const source = ['GROUP', subscription, this.#consumer, 'COUNT', count, 'BLOCK', blockMs]
    const keys = held.map(([subject]) => streamKey(subject))
    const args = [...source, 'STREAMS', ...keys, ...keys.map(() => '>')]
    const reply = await this.#blocking.call('XREADGROUP', args)
    const streams: unknown[] = Array.isArray(reply) ? reply : []
    for (const stream of streams) {
      if (!Array.isArray(stream)) continue
      const [subject] = held.find(([name]) => streamKey(name) === stream[0]) ?? []
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
      if (state !== undefined) state.recovery = EVERYTHING
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

  #afterError(error: unknown): void {
    this.#settings.onError(error instanceof Error ? error : new Error(String(error)))
    if (!(error instanceof Error && error.message.includes('NOGROUP'))) return
    for (const state of this.#subjects.values()) state.hasGroup = false
    this.#wakeKeeper()
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

/**
 * A read is never queued or sent again by itself: by then another process may hold the lease. It
 * blocks for a while, so its limits are wider than those of a command.
 */
function blockingSettings(subscription: string) {
  return {
    connectionName: `bus-${subscription}`,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // A peer that is gone does not confirm the end either.
    disconnectTimeout: 100,
    commandTimeout: BLOCK_MS + 3_000,
    socketTimeout: BLOCK_MS + 4_000,
  }
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
