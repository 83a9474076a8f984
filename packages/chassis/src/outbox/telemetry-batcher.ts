import { isProblem } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { Queryable } from '../db/index.ts'
import { appendEventsOnce } from './append-events.ts'

export interface TelemetryBatcherOptions {
  db: Queryable
  /** How long the first event of a batch waits for further events. */
  lingerMs?: number
  maxBatch?: number
  /** Maximum number of events in memory; further events are dropped and counted. */
  maxQueued?: number
  onDropped?: (count: number) => void
  onError?: (error: unknown) => void
}

const LINGER_MS = 5
const BATCH_MAX = 500
const QUEUED_MAX = 10_000
const RETRY_MS = 500

/**
 * For events that need no transaction with an effect: one insert for all events of a few
 * milliseconds. A crash loses the events in memory; use `appendEvents` for events that must not be
 * lost.
 */
export class TelemetryBatcher implements AsyncDisposable {
  readonly #options: Required<TelemetryBatcherOptions>
  readonly #queue: OutboxEvent[] = []
  readonly #withdrawn = new WeakSet<OutboxEvent>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<boolean> | undefined

  constructor(options: TelemetryBatcherOptions) {
    this.#options = {
      lingerMs: LINGER_MS,
      maxBatch: BATCH_MAX,
      maxQueued: QUEUED_MAX,
      onDropped: () => undefined,
      onError: () => undefined,
      ...options,
    }
  }

  /** False when the queue was full and the event was dropped. */
  add(event: OutboxEvent): boolean {
    if (this.#queue.length >= this.#options.maxQueued) {
      this.#options.onDropped(1)
      return false
    }
    this.#queue.push(event)
    if (this.#queue.length >= this.#options.maxBatch) void this.#write()
    else this.#schedule(this.#options.lingerMs)
    return true
  }

  /** Withdraws events that are not written yet; a running statement is not affected. */
  discard(matches: (event: OutboxEvent) => boolean): void {
    for (const event of this.#queue) if (matches(event)) this.#withdrawn.add(event)
  }

  /** Writes all queued events; those that cannot be written are dropped and counted. */
  async flush(): Promise<void> {
    await this.#writing
    while (this.#queue.length > 0 && (await this.#write()));
    clearTimeout(this.#timer)
    this.#timer = undefined
    const left = this.#queue.splice(0).length
    if (left > 0) this.#options.onDropped(left)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.flush()
  }

  #schedule(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#write()
    }, delayMs)
  }

  /** One writer at a time; after a failure the events are retried later, within the bound. */
  #write(): Promise<boolean> {
    this.#writing ??= this.#writeBatch().then((written) => {
      this.#writing = undefined
      if (this.#queue.length > 0) this.#schedule(written ? 0 : RETRY_MS)
      return written
    })
    return this.#writing
  }

  async #writeBatch(): Promise<boolean> {
    const batch = this.#queue.slice(0, this.#options.maxBatch)
    const wanted = batch.filter((event) => !this.#withdrawn.has(event))
    try {
      if (wanted.length > 0) await appendEventsOnce(this.#options.db, wanted)
      this.#queue.splice(0, batch.length)
      return true
    } catch (error) {
      this.#options.onError(error)
      if (!isProblem(error) || error.retriable) return false
      this.#queue.splice(0, batch.length)
      await this.#writeSingly(wanted)
      return true
    }
  }

  /** One event that Postgres rejects must not prevent the others from being written. */
  async #writeSingly(batch: readonly OutboxEvent[]): Promise<void> {
    for (const event of batch) {
      await appendEventsOnce(this.#options.db, [event]).catch(() => this.#options.onDropped(1))
    }
  }
}
