import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock/index.ts'
import { hashedPart, type KeyPrefix, type KeySpace, type Redis } from '../redis/index.ts'

const KEYS_MAX = 50_000

export interface RecentKeysOptions {
  /** May evict keys: then a claim is counted twice. */
  readonly redis: Redis
  readonly keys: KeySpace
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** The keys that were claimed recently, across all processes. */
export class RecentKeys {
  readonly #options: RecentKeysOptions
  readonly #prefix: KeyPrefix
  readonly #claimed: LRUCache<string, true>

  constructor(options: RecentKeysOptions) {
    this.#options = options
    this.#prefix = options.keys.prefix('once')
    const { clock } = options
    const perf = { now: () => clock.nowMs() }
    // With the default resolution the cache would store the time and notice changes too late.
    this.#claimed = new LRUCache({ max: KEYS_MAX, perf, ttlResolution: 0 })
  }

  /** Synchronous: whether this process has claimed the key, so that a claim would be rejected. */
  isClaimed(key: string): boolean {
    return this.#claimed.has(key)
  }

  /**
   * True for the first claim of a key within the given seconds. A key that this process has claimed
   * needs no lookup; while Redis is unavailable each process decides on its own (D22). Redis stores
   * the hash of the key, because keys contain session ids.
   */
  async claimOnce(key: string, seconds: number): Promise<boolean> {
    if (this.#claimed.has(key)) return false
    this.#claimed.set(key, true, { ttl: seconds * 1_000 })
    const { redis, onError } = this.#options
    try {
      const name = `${this.#prefix}${hashedPart(key)}`
      return (await redis.set(name, '1', 'EX', seconds, 'NX')) === 'OK'
    } catch (error) {
      onError(error)
      return true
    }
  }
}
