import { outboxDepth } from './outbox-sql.ts'
import type { RelaySettings } from './relay-options.ts'
import { heartbeat, releaseRelay, releaseShards, takeShards } from './shard-lease-sql.ts'

const SHARDS = 16
/** Depth is read by one relay, the holder of this shard. */
const REPORTING_SHARD = 0

export interface ShardLeasesOptions {
  settings: RelaySettings
  owner: string
  /** Resolves when no batch read before this call is in flight any more. */
  whenSettled: () => Promise<unknown>
}

/**
 * Which shards this relay works on. Every relay aims at an equal share of the relays that are
 * alive, takes free or expired leases up to it and releases the excess, so that relays
 * converge without communicating. Its own view is only a plan: reading and settling prove the
 * lease in the database.
 */
export class ShardLeases {
  readonly #options: ShardLeasesOptions
  readonly #held = new Set<number>()
  readonly #leaving = new Set<number>()
  #isShort = true

  constructor(options: ShardLeasesOptions) {
    this.#options = options
  }

  /** More shards may become free at any moment: try again soon. */
  get isShort(): boolean {
    return this.#isShort
  }

  usable(queue: number): number[] {
    const { queues } = this.#options.settings
    return [...this.#held].filter((shard) => shard % queues === queue && !this.#leaving.has(shard))
  }

  async renew(): Promise<void> {
    const { settings, owner } = this.#options
    const { db, leaseSeconds, metrics } = settings
    const [row] = await db.query(heartbeat(owner, leaseSeconds))
    this.#replaceHeld(row?.shards ?? [])
    const share = Math.ceil(SHARDS / (row?.liveRelays ?? 1))
    const count = share - this.#held.size
    if (count > 0) {
      const taken = await db.query(takeShards({ owner, leaseSeconds, count }))
      for (const { shard } of taken) this.#held.add(shard)
    } else if (count < 0) {
      this.#releaseSurplus(-count)
    }
    this.#isShort = this.#held.size < share
    metrics.onShards?.(this.#held.size)
  }

  async reportDepth(): Promise<void> {
    const { db, metrics } = this.#options.settings
    if (metrics.onDepth === undefined || !this.#held.has(REPORTING_SHARD)) return
    const [row] = await db.query(outboxDepth())
    if (row !== undefined) metrics.onDepth(row)
  }

  async releaseAll(): Promise<void> {
    const { settings, owner } = this.#options
    this.#held.clear()
    await settings.db.query(releaseRelay(owner))
  }

  #replaceHeld(shards: readonly number[]): void {
    this.#held.clear()
    for (const shard of shards) this.#held.add(shard)
  }

  /** The batch in flight ends first: its rows would otherwise be published twice. */
  #releaseSurplus(count: number): void {
    if (this.#leaving.size > 0) return
    const surplus = [...this.#held].slice(-count)
    for (const shard of surplus) this.#leaving.add(shard)
    const { settings, owner, whenSettled } = this.#options
    const release = async () => {
      await whenSettled()
      await settings.db.query(releaseShards(owner, surplus))
      for (const shard of surplus) this.#held.delete(shard)
    }
    void release()
      .catch(settings.onError)
      .finally(() => this.#leaving.clear())
  }
}
