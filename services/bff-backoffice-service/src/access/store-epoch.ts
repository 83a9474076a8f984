import { randomUUID } from 'node:crypto'
import type { KeyPrefix, Redis } from '@melmastoon/chassis/redis'

/**
 * Identifies the memory of the replay store. It changes when the store was emptied (the key is
 * missing), and when the server restarted or a replica took over (another run id): either may have
 * forgotten proofs that were used. The nonces depend on it, so that older proofs are challenged.
 */
export interface StoreEpoch {
  /** The last one that was read; empty before that. */
  readonly value: string
  /** False after a reconnection, until it was read again. */
  readonly isCurrent: boolean
  /** Rejects while Redis is unavailable. */
  read(): Promise<string>
  /** Reads it if the store was emptied meanwhile. Never rejects. */
  refresh(): Promise<void>
}

export function createStoreEpoch(redis: Redis, prefix: KeyPrefix): StoreEpoch {
  const epoch = new RedisEpoch(redis, `${prefix}name`)
  redis.on('ready', () => epoch.outdate())
  return epoch
}

class RedisEpoch implements StoreEpoch {
  readonly #redis: Redis
  readonly #key: string
  #reading: Promise<string> | null = null
  /** Incremented by every reconnection: a read that began before it does not count. */
  #connection = 0
  #name: string | null = null
  value = ''
  isCurrent = false

  constructor(redis: Redis, key: string) {
    this.#redis = redis
    this.#key = key
  }

  outdate(): void {
    this.#connection += 1
    this.#reading = null
    this.isCurrent = false
  }

  read(): Promise<string> {
    const reading = this.#reading ?? this.#readNow()
    this.#reading = reading
    const forget = () => {
      if (this.#reading === reading) this.#reading = null
    }
    reading.then(forget, forget)
    return reading
  }

  async refresh(): Promise<void> {
    try {
      const name = await this.#redis.get(this.#key)
      if (!this.isCurrent || name !== this.#name) await this.read()
    } catch {
      // Redis is unavailable: the last epoch counts until it returns.
    }
  }

  async #readNow(): Promise<string> {
    const connection = this.#connection
    const [, name, info] = await Promise.all([
      this.#redis.set(this.#key, randomUUID(), 'NX'),
      this.#redis.get(this.#key),
      this.#redis.info('server'),
    ])
    const runId = /run_id:(\w+)/.exec(info)?.[1] ?? ''
    // Part of the replies may be of another server.
    if (connection !== this.#connection) return await this.#readNow()
    this.#name = name
    this.value = `${name}/${runId}`
    this.isCurrent = true
    return this.value
  }
}
