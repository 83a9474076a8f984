import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock/index.ts'
import { hashedPart, type KeyPrefix, type KeySpace, type Redis } from '../redis/index.ts'

const KEYS_MAX = 50_000

export interface RecentKeysOptions {
  /** May evict: then something counts twice. */
  readonly redis: Redis
  readonly keys: KeySpace
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Which keys were claimed lately, across all processes. */
export class RecentKeys {
  readonly #options: RecentKeysOptions
  readonly #prefix: KeyPrefix
  readonly #claimed: LRUCache<string, true>

  constructor(options: RecentKeysOptions) {
    this.#options = options
    this.#prefix = options.keys.prefix('once')
    const { clock } = options
    const perf = { now: () => clock.nowMs() }
    // Without a resolution the cache would remember the time, and see a change of it too late.
    this.#claimed = new LRUCache({ max: KEYS_MAX, perf, ttlResolution: 0 })
  }

  /**
   * True for the first claim of a key within so many seconds. A key that this process has claimed
   * needs no lookup; while Redis is unavailable each process decides alone (D22). Redis holds the
   * hash of the key, because keys contain ids of sessions.
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
