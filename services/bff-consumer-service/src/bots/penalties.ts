import type { Clock } from '@melmastoon/chassis/clock'
import { hashedPart, type KeyPrefix, type Redis } from '@melmastoon/chassis/redis'
import { LRUCache } from 'lru-cache'

const PENALTY_SECONDS = 3_600
/**
 * Guests with the same phone and language share a fingerprint: each process reads it once a second
 * at most.
 */
const READ_EVERY_MS = 1_000
const FINGERPRINTS_MAX = 10_000

export interface PenaltiesOptions {
  /** Never evicts. */
  readonly redis: Redis
  readonly prefix: KeyPrefix
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

interface Read {
  readonly atMs: number
  readonly replays: Promise<number>
}

/** Replayed handoffs by fingerprint. None while Redis is unavailable. */
export class Penalties {
  readonly #options: PenaltiesOptions
  readonly #reads = new LRUCache<string, Read>({ max: FINGERPRINTS_MAX })

  constructor(options: PenaltiesOptions) {
    this.#options = options
  }

  /** At most a second old. */
  replaysOf(fingerprintHash: string): Promise<number> {
    const nowMs = this.#options.clock.monotonicMs()
    const known = this.#reads.get(fingerprintHash)
    if (known !== undefined && nowMs - known.atMs < READ_EVERY_MS) return known.replays
    const replays = this.#read(fingerprintHash)
    this.#reads.set(fingerprintHash, { atMs: nowMs, replays })
    return replays
  }

  async add(fingerprintHash: string): Promise<void> {
    const { redis, onError } = this.#options
    const key = this.#keyOf(fingerprintHash)
    await redis.multi().incr(key).expire(key, PENALTY_SECONDS).exec().catch(onError)
    this.#reads.delete(fingerprintHash)
  }

  async #read(fingerprintHash: string): Promise<number> {
    const { redis, onError } = this.#options
    try {
      return Number((await redis.get(this.#keyOf(fingerprintHash))) ?? 0)
    } catch (error) {
      onError(error)
      this.#reads.delete(fingerprintHash)
      return 0
    }
  }

  #keyOf(fingerprintHash: string): string {
    return `${this.#options.prefix}penalty:${hashedPart(fingerprintHash)}`
  }
}
