import { randomInt } from 'node:crypto'
import { type Clock, pause } from '../clock/index.ts'
import { DeliveryPostponed, PoisonMessage, redactReason } from './delivery-errors.ts'
import type { Backoff, InboundMessage, MessageHandler } from './event-bus.ts'

/** A message in this process, with the operations of the transport that end its delivery. */
export interface Delivery {
  message: InboundMessage
  acknowledge(): Promise<void>
  /** Moves the message to the dead letters. */
  deadLetter(reason: string): Promise<void>
  /** Records one more delivery at the broker, so that the count survives this process. */
  recordRetry(): Promise<void>
  /** False once another consumer may have taken the message over; it is then dropped here. */
  isOurs(): boolean
  /** Returns the message to the broker unprocessed. */
  release(): void
}

export interface DispatcherOptions {
  handle: MessageHandler
  maxInFlight: number
  maxDeliveries: number
  backoff: Backoff
  clock: Clock
  onError: (error: Error) => void
  onDead?: (message: InboundMessage, reason: string) => void
}

/** Messages waiting in the process behind the running ones, as a multiple of `maxInFlight`. */
const BUFFER_FACTOR = 8

/**
 * Runs handlers: messages of one key sequentially in order of arrival, different keys concurrently.
 * A failed message is retried in place while its key waits, so retries do not break the order. A
 * waiting key occupies the buffer but no handler slot; when the buffer is full, the transport stops
 * reading until the key succeeds or its message is dead-lettered.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #queues = new Map<string, Delivery[]>()
  readonly #slotWaiters: (() => void)[] = []
  readonly #roomWaiters: (() => void)[] = []
  readonly #stopping = new AbortController()
  #running = 0
  #buffered = 0

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  get room(): number {
    return Math.max(0, this.#options.maxInFlight * BUFFER_FACTOR - this.#buffered)
  }

  get idle(): boolean {
    return this.#buffered === 0
  }

  push(delivery: Delivery): void {
    if (this.#stopping.signal.aborted) return delivery.release()
    this.#buffered += 1
    const key = delivery.message.orderingKey || delivery.message.brokerId
    const queue = this.#queues.get(key)
    if (queue !== undefined) {
      queue.push(delivery)
      return
    }
    this.#queues.set(key, [delivery])
    void this.#drainQueue(key)
  }

  /** Resolves when there is room again, or after `maxWaitMs`. */
  async waitForRoom(maxWaitMs: number): Promise<void> {
    if (this.room > 0) return
    await this.#waitForChange(maxWaitMs)
  }

  /** Running handlers may finish within `timeoutMs`; other messages are returned to the broker. */
  async stop(timeoutMs: number): Promise<void> {
    const nowMs = () => this.#options.clock.monotonicMs()
    this.#stopping.abort()
    for (const wake of this.#slotWaiters.splice(0)) wake()
    const endsAtMs = nowMs() + timeoutMs
    while (!this.idle && nowMs() < endsAtMs) await this.#waitForChange(endsAtMs - nowMs())
  }

  async #drainQueue(key: string): Promise<void> {
    const queue = this.#queues.get(key)
    for (let delivery = queue?.[0]; delivery !== undefined; delivery = queue?.[0]) {
      await this.#process(delivery)
      queue?.shift()
      this.#buffered -= 1
      for (const wake of this.#roomWaiters.splice(0)) wake()
    }
    this.#queues.delete(key)
  }

  async #process(delivery: Delivery): Promise<void> {
    // A redelivery is counted before the handler runs, even if the handler crashes the process.
    const isAgain = delivery.message.deliveryCount > 1
    if (isAgain && delivery.isOurs()) await delivery.recordRetry().catch(this.#options.onError)
    for (let postponements = 0; ; ) {
      if (this.#stopping.signal.aborted || !delivery.isOurs()) return delivery.release()
      const failure = await this.#attempt(delivery)
      if (failure === undefined) return
      const postponed = failure instanceof DeliveryPostponed
      if (postponed && !this.#stopping.signal.aborted) this.#options.onError(failure)
      if (!postponed && (await this.#deadLetterIfFinal(delivery, failure))) return
      postponements = postponed ? postponements + 1 : 0
      const round = postponed ? postponements : delivery.message.deliveryCount
      await pause(backoffMs(this.#options.backoff, round), this.#stopping.signal)
      if (!postponed && !this.#stopping.signal.aborted) await this.#countRetry(delivery)
    }
  }

  async #attempt(delivery: Delivery): Promise<Error | undefined> {
    const { maxDeliveries, handle } = this.#options
    if (delivery.message.deliveryCount > maxDeliveries) {
      return new PoisonMessage(`delivered more than ${maxDeliveries} times`)
    }
    await this.#takeSlot()
    try {
      if (this.#stopping.signal.aborted) return new DeliveryPostponed('stopping')
      await handle(delivery.message)
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      this.#freeSlot()
    }
    // A lost acknowledgement means one more delivery, which the consumer's inbox recognises.
    await delivery.acknowledge().catch(this.#options.onError)
    return undefined
  }

  async #deadLetterIfFinal(delivery: Delivery, failure: Error): Promise<boolean> {
    const { maxDeliveries, onDead, onError } = this.#options
    const reason = redactReason(failure.message)
    const spent = delivery.message.deliveryCount >= maxDeliveries
    if (!spent && !(failure instanceof PoisonMessage)) {
      onError(failure)
      return false
    }
    try {
      await delivery.deadLetter(reason)
    } catch (error) {
      // If this fails, the message stays with the broker and is delivered again.
      onError(error instanceof Error ? error : new Error(String(error)))
      return false
    }
    onDead?.(delivery.message, reason)
    return true
  }

  async #countRetry(delivery: Delivery): Promise<void> {
    delivery.message = {
      ...delivery.message,
      deliveryCount: delivery.message.deliveryCount + 1,
    }
    await delivery.recordRetry().catch(this.#options.onError)
  }

  async #takeSlot(): Promise<void> {
    while (this.#running >= this.#options.maxInFlight && !this.#stopping.signal.aborted) {
      await new Promise<void>((resolve) => this.#slotWaiters.push(resolve))
    }
    this.#running += 1
  }

  #freeSlot(): void {
    this.#running -= 1
    this.#slotWaiters.shift()?.()
  }

  #waitForChange(maxWaitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, maxWaitMs)
      this.#roomWaiters.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

/** Full jitter over a doubling ceiling. */
export function backoffMs({ minMs, maxMs }: Backoff, round: number): number {
  const ceilingMs = Math.min(maxMs, minMs * 2 ** Math.min(round - 1, 20))
  return randomInt(Math.max(1, Math.ceil(ceilingMs))) + 1
}
