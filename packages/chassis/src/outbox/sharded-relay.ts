import { randomInt, randomUUID } from 'node:crypto'
import { redactReason } from '../bus/index.ts'
import { BusWatch } from './bus-watch.ts'
import { Lane, type TurnResult } from './lane.ts'
import { type RelayOptions, type RelaySettings, relaySettings } from './relay-options.ts'
import { ShardKeeper } from './shard-keeper.ts'

export interface Relay extends AsyncDisposable {
  start(): void
  /** Finishes the batches in flight and gives the leases back, in less than nine seconds (P13). */
  stop(): Promise<void>
  /** Looks for rows now instead of at the next poll. */
  wake(): void
  /** Publishes until nothing is due; for commands and tests. Not beside `start`. */
  drainOnce(): Promise<{ published: number }>
}

/** A broker that is away is asked again after this, doubling, with full jitter. */
const OUTAGE_MIN_MS = 250
const OUTAGE_MAX_MS = 15_000
/** How often to look for shards that others are about to give up. */
const SHORT_BEAT_MS = 500

/**
 * Crash anywhere: before the publish nothing happened; between publish and settling the rows are
 * still there and the next holder of the shard publishes them again (OBX-03). A holder that was
 * paused may publish once more, but cannot settle (OBX-16). Duplicates never break the order of
 * first arrivals, since every holder starts at the oldest unsettled row of each key.
 */
export class ShardedRelay implements Relay {
  readonly #settings: RelaySettings
  readonly #keeper: ShardKeeper
  readonly #watch: BusWatch
  readonly #lanes: readonly Lane[]
  readonly #stopping = new AbortController()
  readonly #wakers = new Set<() => void>()
  #loops: Promise<unknown> | undefined
  #outages = 0
  #pausedUntilMs = 0

  /** Without `fenced` rows are settled unproven: only a control may show what that leads to. */
  constructor(options: RelayOptions, { fenced }: { fenced: boolean }) {
    this.#settings = { ...relaySettings(options), fenced }
    const settings = this.#settings
    const owner = `${options.owner}/${randomUUID().slice(0, 8)}`
    const whenSettled = () => Promise.all(this.#lanes.map((lane) => lane.settled()))
    this.#watch = new BusWatch(settings, whenSettled)
    this.#keeper = new ShardKeeper({ settings, owner, whenSettled })
    this.#lanes = Array.from({ length: settings.lanes }, (_, index) => {
      return new Lane({ settings, owner, usableShards: () => this.#keeper.usable(index) })
    })
  }

  start(): void {
    this.#loops ??= Promise.all([
      this.#keepShards(),
      ...this.#lanes.map((lane) => this.#workLane(lane)),
    ])
  }

  wake(): void {
    for (const wake of this.#wakers) wake()
  }

  async drainOnce(): Promise<{ published: number }> {
    await this.#keeper.beat()
    this.#watch.suspect()
    let published = 0
    for (;;) {
      if ((await this.#watch.verify()) !== undefined) return { published }
      const turns = await Promise.all(this.#lanes.map((lane) => lane.takeTurn()))
      published += turns.reduce((sum, turn) => sum + turn.published, 0)
      if (turns.some((turn) => turn.unavailable !== undefined)) this.#watch.suspect()
      if (turns.every(isEnd)) return { published }
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#settings.stopMs)
    try {
      await Promise.race([this.#loops, late])
    } finally {
      clearTimeout(timer)
      await this.#keeper.releaseAll().catch(this.#settings.onError)
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #keepShards(): Promise<void> {
    const { leaseSeconds, onError } = this.#settings
    const renewMs = (leaseSeconds * 1_000) / 3
    while (!this.#stopping.signal.aborted) {
      try {
        const before = this.#lanes.map((_, lane) => this.#keeper.usable(lane).length)
        await this.#keeper.beat()
        if (before.some((count) => count === 0)) this.wake()
        await this.#keeper.reportDepth()
        await this.#watch.verifyAgain(renewMs)
      } catch (error) {
        onError(error)
      }
      await this.#pause(this.#keeper.isShort ? Math.min(SHORT_BEAT_MS, renewMs) : renewMs, false)
    }
  }

  async #workLane(lane: Lane): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const pausedMs = this.#pausedUntilMs - this.#settings.clock.monotonicMs()
      if (pausedMs > 0) {
        await this.#pause(pausedMs, false)
        continue
      }
      const turn = await this.#tryTurn(lane)
      if (turn === undefined) await this.#pause(this.#settings.pollMs, false)
      else if (turn.read === 0) await this.#pause(this.#settings.pollMs, true)
    }
  }

  async #tryTurn(lane: Lane): Promise<TurnResult | undefined> {
    try {
      const away = await this.#watch.verify()
      if (away !== undefined) {
        this.#backOff(redactReason(away))
        return undefined
      }
      const turn = await lane.takeTurn()
      if (turn.unavailable !== undefined) {
        this.#watch.suspect()
        this.#backOff(turn.unavailable)
      } else if (turn.published > 0) this.#outages = 0
      return turn
    } catch (error) {
      // The database is away. What was published and not settled will be published again.
      this.#settings.onError(error)
      return undefined
    }
  }

  /** The broker is away for every key, so the whole relay waits and no attempt is spent (P4). */
  #backOff(reason: string): void {
    const ceilingMs = Math.min(OUTAGE_MAX_MS, OUTAGE_MIN_MS * 2 ** Math.min(this.#outages, 10))
    this.#outages += 1
    this.#pausedUntilMs = this.#settings.clock.monotonicMs() + randomInt(1, ceilingMs)
    this.#settings.metrics.onBrokerUnavailable?.(reason)
  }

  #pause(durationMs: number, wakeable: boolean): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        this.#wakers.delete(finish)
        this.#stopping.signal.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, durationMs)
      if (wakeable) this.#wakers.add(finish)
      if (this.#stopping.signal.aborted) finish()
      else this.#stopping.signal.addEventListener('abort', finish, { once: true })
    })
  }
}

function isEnd(turn: TurnResult): boolean {
  return turn.read === 0 || turn.unavailable !== undefined
}
