import type { KeyedHash } from '@melmastoon/security'
import { LRUCache } from 'lru-cache'

const HASHES_MAX = 20_000
/** Longer values are hashed each time, which bounds the memory. */
const LENGTH_MAX = 512

/**
 * Hashes of what every request of a client repeats: its address, its browser and languages. Never
 * for contact data, because the values themselves stay in memory.
 */
export class ClientHashes implements Pick<KeyedHash, 'hash' | 'hashAddress'> {
  readonly #hashes: KeyedHash
  readonly #values = new LRUCache<string, string>({ max: HASHES_MAX })
  readonly #addresses = new LRUCache<string, string>({ max: HASHES_MAX })

  constructor(hashes: KeyedHash) {
    this.#hashes = hashes
  }

  hash(value: string): string {
    const known = this.#values.get(value)
    if (known !== undefined) return known
    const hashed = this.#hashes.hash(value)
    if (value.length <= LENGTH_MAX) this.#values.set(value, hashed)
    return hashed
  }

  hashAddress(address: string): string {
    const known = this.#addresses.get(address)
    if (known !== undefined) return known
    const hashed = this.#hashes.hashAddress(address)
    if (address.length <= LENGTH_MAX) this.#addresses.set(address, hashed)
    return hashed
  }
}
