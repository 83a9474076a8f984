import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock/index.ts'
import type { Redis } from '../redis/index.ts'
import { BlockingReads } from './blocking-reads.ts'
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
import { createStreamLease, type HoldLeases, holdLeases, type StreamLease } from './stream-lease.ts'
import { subscribeDefaults } from './subscribe-defaults.ts'

interface Recovery {
  from: string
  /** Messages that are idle for less time are left to their consumer; 0 takes all. */
  minIdleMs: number
}

interface SubjectState {
  lease: StreamLease
  hasGroup: boolean
  /** Progress of the recovery of unacknowledged messages; null once it is complete. */
  recovery: Recovery | null
}

const NONE = { add: () => undefined }
const EVERYTHING: Recovery = { from: '0-0', minIdleMs: 0 }
/** How long a read waits for messages; anything else that needs attention interrupts it. */
const BLOCK_MS = 5_000
const ROOM_MS = 250
const READ_COUNT = 128
const PAUSE_AFTER_ERROR_MS = 200
/** Longest pause before an unavailable server is tried again. */
const RETRY_MS = 1_000

/**
 * Reads the subjects whose lease this process holds. After acquiring a lease, and after every lost
 * response, it first reads the pending messages of the group, oldest first, and only then new
 * messages: a message of a crashed consumer is never overtaken by its successors. With every
 * renewal it takes over messages that were idle for the length of a lease, because a consumer that
 * lost its lease may have read them, and deletes messages that every group has acknowledged.
 */
export class StreamSubscription implements Subscription {
  readonly #options: SubscribeOptions
  readonly #reads: BlockingReads
  readonly #group: StreamGroup
  readonly #hold: HoldLeases
  readonly #consumer = `${process.pid}-${randomUUID()}`
  readonly #dispatcher: Dispatcher
  readonly #subjects = new Map<string, SubjectState>()
  readonly #inProcess = new Set<string>()
  /** Acknowledged during the recovery in progress. */
  #finished: { add(id: string): unknown } = NONE
  readonly #settings: ReturnType<typeof subscribeDefaults>
  readonly #reading: Promise<void>
  readonly #renewing: Promise<void>
  #stopped: Promise<void> | undefined
  #isReading = true
  #isRenewing = true
  #wakeRenewal: () => void = () => undefined

  constructor(input: StreamSubscriptionInput) {
    const { redis, options, clock } = input
    this.#options = options
    this.#settings = subscribeDefaults(options)
    this.#group = createStreamGroup(redis, {
      group: options.subscription,
      consumer: this.#consumer,
      deadLetterName: this.#settings.deadLetterName,
    })
    this.#reads = new BlockingReads({
      redis,
      name: `bus-${options.subscription}`,
      blockMs: BLOCK_MS,
      onError: (error) => this.#settings.onError(error),
    })
    this.#dispatcher = new Dispatcher({ ...this.#settings, clock, handle: input.handle })
    const { ackDeadlineMs: durationMs } = this.#settings
    this.#hold = holdLeases({ redis, clock, durationMs })
    for (const subject of options.subjects) {
      const lease = { redis, subscription: options.subscription, subject, durationMs, clock }
      const state = { lease: createStreamLease(lease), hasGroup: false, recovery: EVERYTHING }
      this.#subjects.set(subject, state)
    }
    this.#renewing = this.#renewLeases()
    this.#reading = this.#readLoop()
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#end()
    return this.#stopped
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** Stops reading, waits for running handlers while the lease is renewed, then releases it. */
  async #end(): Promise<void> {
    this.#isReading = false
    this.#reads.end()
    await this.#dispatcher.stop(this.#settings.drainMs)
    this.#isRenewing = false
    this.#wakeRenewal()
    await Promise.all([this.#reading, this.#renewing])
    const leases = [...this.#subjects.values()].map(({ lease }) => lease.release())
    await Promise.all(leases.map((released) => released.catch(this.#settings.onError)))
  }

  async #renewLeases(): Promise<void> {
    const intervalMs = this.#settings.ackDeadlineMs / 3
    while (this.#isRenewing) {
      const allHeld = await this.#renewAll()
      if (!this.#isRenewing) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, allHeld ? intervalMs : Math.min(intervalMs, RETRY_MS))
        this.#wakeRenewal = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  /** One round trip for all subjects, and one more for the maintenance of their streams. */
  async #renewAll(): Promise<boolean> {
    try {
      const ready = await this.#ensureGroups()
      const outcomes = await this.#hold(ready.map(([, { lease }]) => lease))
      const renewed: string[] = []
      ready.forEach(([subject, state], index) => {
        if (outcomes[index] === 'taken') this.#recoverSoon(state)
        if (outcomes[index] === 'renewed') renewed.push(subject)
      })
      await this.#maintain(renewed)
      return ready.length === this.#subjects.size
    } catch (error) {
      this.#afterError(error)
      return false
    }
  }

  async #ensureGroups(): Promise<[string, SubjectState][]> {
    const ready: [string, SubjectState][] = []
    for (const [subject, state] of this.#subjects) {
      try {
        if (!state.hasGroup && this.#isRenewing) await this.#group.ensure(subject)
        state.hasGroup = true
        ready.push([subject, state])
      } catch (error) {
        this.#afterError(error)
      }
    }
    return ready
  }

  async #maintain(subjects: readonly string[]): Promise<void> {
    const { ackDeadlineMs } = this.#settings
    for (const subject of await this.#group.maintain(subjects, ackDeadlineMs)) {
      const state = this.#subjects.get(subject)
      if (state === undefined || state.recovery !== null) continue
      state.recovery = { from: '0-0', minIdleMs: ackDeadlineMs }
      this.#reads.interrupt().catch(this.#settings.onError)
    }
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
    await this.#dispatcher.waitForRoom(ROOM_MS)
    if (this.#dispatcher.room === 0) return
    const held = [...this.#subjects].filter(([, state]) => state.hasGroup && state.lease.isHeld())
    if (held.length === 0 || !this.#reads.isReady()) {
      return sleep(Math.min(ROOM_MS, this.#settings.ackDeadlineMs / 10))
    }
    const recovering = held.find(([, state]) => state.recovery !== null)
    if (recovering !== undefined) return this.#recover(...recovering)
    await this.#readNew(held)
  }

  async #recover(subject: string, state: SubjectState): Promise<void> {
    const recovery = state.recovery ?? EVERYTHING
    const finished = new Set<string>()
    this.#finished = finished
    const { next, entries, lost } = await this.#group.claimPending(subject, recovery)
    if (lost.length > 0) this.#settings.onError(new MessagesLost(subject, lost))
    for (const entry of entries) {
      // Acknowledged while the reply was on its way.
      if (finished.has(entry.id + subject)) continue
      this.#dispatch(subject, entry, entry.deliveries + 1)
    }
    this.#finished = NONE
    // A new recovery may have been requested meanwhile.
    if (state.recovery !== recovery) return
    state.recovery = next === '0-0' ? null : { ...recovery, from: next }
  }

  async #readNew(held: readonly (readonly [string, SubjectState])[]): Promise<void> {
    const room = Math.min(this.#dispatcher.room, READ_COUNT)
    const count = Math.max(1, Math.floor(room / held.length))
    // Not beyond the lease: its next holder would not know about these messages.
    const leftMs = Math.min(BLOCK_MS, ...held.map(([, { lease }]) => lease.remainingMs()))
    const blockMs = Math.max(1, Math.floor(leftMs))
    const { subscription } = this.#options
    const source = ['GROUP', subscription, this.#consumer, 'COUNT', count, 'BLOCK', blockMs]
    const keys = held.map(([subject]) => streamKey(subject))
    const args = [...source, 'STREAMS', ...keys, ...keys.map(() => '>')]
    const reply = await this.#reads.read('XREADGROUP', args)
    const streams: unknown[] = Array.isArray(reply) ? reply : []
    for (const stream of streams) {
      if (!Array.isArray(stream)) continue
      const [subject] = held.find(([name]) => streamKey(name) === stream[0]) ?? []
      if (subject === undefined) continue
      for (const entry of readEntries(stream[1])) this.#dispatch(subject, entry, 1)
    }
  }

  /** The read that waits does not include a subject that was just leased. */
  #recoverSoon(state: SubjectState): void {
    // Another object than that of a recovery in progress, which may have passed the message.
    state.recovery = { ...EVERYTHING }
    this.#reads.interrupt().catch(this.#settings.onError)
  }

  #dispatch(subject: string, entry: StreamEntry, deliveryCount: number): void {
    if (this.#inProcess.has(entry.id + subject)) return
    this.#inProcess.add(entry.id + subject)
    this.#dispatcher.push(this.#delivery(readMessage(subject, entry, deliveryCount), entry))
  }

  #delivery(message: InboundMessage, entry: StreamEntry): Delivery {
    const { subject } = message
    const state = this.#subjects.get(subject)
    const forget = () => void this.#inProcess.delete(entry.id + subject)
    const finish = () => {
      forget()
      this.#finished.add(entry.id + subject)
    }
    // The message stays pending at the broker until a recovery reads it again.
    const leave = () => {
      forget()
      if (state !== undefined) this.#recoverSoon(state)
    }
    const delivery: Delivery = {
      message,
      acknowledge: async () => {
        await this.#group.acknowledge(subject, entry.id).then(finish, (error: unknown) => {
          leave()
          throw error
        })
      },
      deadLetter: (reason) => this.#group.deadLetter(subject, entry, reason).then(finish),
      recordRetry: () => {
        const count = delivery.message.deliveryCount
        return this.#group.recordDelivery(subject, { id: entry.id, count })
      },
      isOurs: () => state?.lease.isHeld() ?? false,
      release: leave,
    }
    return delivery
  }

  #afterError(error: unknown): void {
    this.#settings.onError(error instanceof Error ? error : new Error(String(error)))
    if (!(error instanceof Error && error.message.includes('NOGROUP'))) return
    for (const state of this.#subjects.values()) state.hasGroup = false
    this.#wakeRenewal()
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

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
