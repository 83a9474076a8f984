import { randomInt, randomUUID } from 'node:crypto'
import { redactReason } from '../bus/index.ts'
import { BusMonitor } from './bus-monitor.ts'
import { OUTBOX_TOPIC } from './outbox-sql.ts'
import { type RelayOptions, type RelaySettings, relaySettings } from './relay-options.ts'
import { ShardLeases } from './shard-leases.ts'
import { type BatchSummary, ShardQueue } from './shard-queue.ts'
import { WakeablePauses } from './wakeable-pauses.ts'

export interface Relay extends AsyncDisposable {
  start(): void
  /** Finishes the batches in flight and releases the leases, in less than nine seconds (P13). */
  stop(): Promise<void>
  /** Looks for rows now instead of at the next poll. */
  wake(): void
  /** Publishes until nothing is due; for commands and tests. Not together with `start`. */
  drainOnce(): Promise<{ published: number }>
}

/** An unavailable broker is retried after this, doubling, with full jitter. */
const OUTAGE_MIN_MS = 250
const OUTAGE_MAX_MS = 15_000
/** How often to look for shards that others are about to release. */
const SHORT_RENEW_MS = 500
/** The least time between two batches of a queue that are not full. */
const GATHER_MS = 50

/** Moves committed events to the bus (P4): at least once, in order per key, by many relays. */
export function createRelay(options: RelayOptions): Relay {
  return new ShardedRelay(options, { fenced: true })
}

/**
 * Crash anywhere: before the publish nothing happened; between publish and settling the rows are
 * still there and the next holder of the shard publishes them again (OBX-03). A holder that was
 * paused may publish once more, but cannot settle (OBX-16). Duplicates never break the order of
 * first arrivals, since every holder starts at the oldest unsettled row of each key.
 */
export class ShardedRelay implements Relay {
  readonly #settings: RelaySettings
  readonly #leases: ShardLeases
  readonly #monitor: BusMonitor
  readonly #queues: readonly ShardQueue[]
  readonly #stopping = new AbortController()
  readonly #pauses = new WakeablePauses(this.#stopping.signal)
  #loops: Promise<unknown> | undefined
  #unsubscribe: () => void = () => undefined
  #outages = 0
  #pausedUntilMs = 0

  /** Without `fenced` rows are settled without a check of the lease: for negative controls only. */
  constructor(options: RelayOptions, { fenced }: { fenced: boolean }) {
    this.#settings = { ...relaySettings(options), fenced }
    const settings = this.#settings
    const owner = `${options.owner}/${randomUUID().slice(0, 8)}`
    const whenSettled = () => Promise.all(this.#queues.map((queue) => queue.settled()))
    this.#monitor = new BusMonitor(settings, whenSettled)
    this.#leases = new ShardLeases({ settings, owner, whenSettled })
    this.#queues = Array.from({ length: settings.queues }, (_, index) => {
      return new ShardQueue({ settings, owner, usableShards: () => this.#leases.usable(index) })
    })
  }

  start(): void {
    if (this.#loops !== undefined) return
    const { announcements } = this.#settings
    if (announcements !== undefined) {
      this.#unsubscribe = announcements.subscribe(OUTBOX_TOPIC, () => this.wake())
    }
    this.#loops = Promise.all([
      this.#renewShards(),
      ...this.#queues.map((queue) => this.#workOn(queue)),
    ])
  }

  wake(): void {
    this.#pauses.wake()
  }

  async drainOnce(): Promise<{ published: number }> {
    await this.#leases.renew()
    this.#monitor.suspect()
    let published = 0
    for (;;) {
      if ((await this.#monitor.verify()) !== undefined) return { published }
      const batches = await Promise.all(this.#queues.map((queue) => queue.runBatch()))
      published += batches.reduce((sum, batch) => sum + batch.published, 0)
      if (batches.some((batch) => batch.unavailable !== undefined)) this.#monitor.suspect()
      if (batches.every(isEnd)) return { published }
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#unsubscribe()
    this.wake()
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#settings.stopMs)
    try {
      await Promise.race([this.#loops, late])
    } finally {
      clearTimeout(timer)
      await this.#leases.releaseAll().catch(this.#settings.onError)
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #renewShards(): Promise<void> {
    const { leaseSeconds, onError } = this.#settings
    const renewMs = (leaseSeconds * 1_000) / 3
    while (!this.#stopping.signal.aborted) {
      try {
        const before = this.#heldShards()
        await this.#leases.renew()
        if (this.#heldShards() !== before) this.wake()
        await this.#leases.reportDepth()
        await this.#monitor.verifyAgain(renewMs)
      } catch (error) {
        onError(error)
      }
      await this.#pauses.pause(
        this.#leases.isShort ? Math.min(SHORT_RENEW_MS, renewMs) : renewMs,
        false,
      )
    }
  }

  #heldShards(): string {
    return this.#queues.map((_, queue) => this.#leases.usable(queue).join()).join(';')
  }

  async #workOn(queue: ShardQueue): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const pausedMs = this.#pausedUntilMs - this.#settings.clock.monotonicMs()
      if (pausedMs > 0) {
        await this.#pauses.pause(pausedMs, false)
        continue
      }
      const wakes = this.#pauses.wakes
      const startedAtMs = this.#settings.clock.monotonicMs()
      const batch = await this.#tryBatch(queue)
      if (batch === undefined) await this.#pauses.pause(this.#settings.pollMs, false)
      else if (this.#isDrained(batch)) await this.#waitForWork(queue, { wakes, startedAtMs })
    }
  }

  /** An incomplete batch held everything that was due, unless a failure ended the wait of a key. */
  #isDrained({ read, published }: BatchSummary): boolean {
    return read === 0 || (read < this.#settings.batchSize && published === read)
  }

  async #waitForWork(
    queue: ShardQueue,
    seen: { wakes: number; startedAtMs: number },
  ): Promise<void> {
    const pollMs = await this.#pollMs(queue)
    if (this.#pauses.wakes === seen.wakes) await this.#pauses.pause(pollMs, true)
    if (this.#pauses.wakes === seen.wakes) return
    // Under load events arrive all the time: they are published in batches.
    const elapsedMs = this.#settings.clock.monotonicMs() - seen.startedAtMs
    if (elapsedMs < GATHER_MS) await this.#pauses.pause(GATHER_MS - elapsedMs, false)
  }

  /** The slow poll has jitter, so that the relays of a fleet do not poll at the same time. */
  async #pollMs(queue: ShardQueue): Promise<number> {
    const { announcements, pollMs, idlePollMs } = this.#settings
    if (announcements?.isListening() !== true) return pollMs
    const idleMs = randomInt(idlePollMs / 2, idlePollMs)
    try {
      const dueMs = await queue.retryDueMs()
      return dueMs === undefined ? idleMs : Math.min(idleMs, Math.max(1, dueMs))
    } catch (error) {
      this.#settings.onError(error)
      return pollMs
    }
  }

  async #tryBatch(queue: ShardQueue): Promise<BatchSummary | undefined> {
    try {
      const unavailable = await this.#monitor.verify()
      if (unavailable !== undefined) {
        this.#backOff(redactReason(unavailable))
        return undefined
      }
      const batch = await queue.runBatch()
      if (batch.unavailable !== undefined) {
        this.#monitor.suspect()
        this.#backOff(batch.unavailable)
      } else if (batch.published > 0) this.#outages = 0
      return batch
    } catch (error) {
      // The database is unavailable. What was published and not settled will be published again.
      this.#settings.onError(error)
      return undefined
    }
  }

  /** The broker is unavailable for every key, so the relay waits and no attempt is counted (P4). */
  #backOff(reason: string): void {
    const ceilingMs = Math.min(OUTAGE_MAX_MS, OUTAGE_MIN_MS * 2 ** Math.min(this.#outages, 10))
    this.#outages += 1
    this.#pausedUntilMs = this.#settings.clock.monotonicMs() + randomInt(1, ceilingMs)
    this.#settings.metrics.onBrokerUnavailable?.(reason)
  }
}

function isEnd(batch: BatchSummary): boolean {
  return batch.read === 0 || batch.unavailable !== undefined
}
