import type { KeyObject } from 'node:crypto'

/** Importing a key costs more than verifying a signature, and a device uses its key for months. */
export class ProofKeyCache {
  readonly #keys = new Map<string, KeyObject>()
  readonly #maxKeys: number

  /** @param maxKeys One per staff device that is busy at a time; an entry takes about 1 KiB. */
  constructor(maxKeys = 10_000) {
    this.#maxKeys = maxKeys
  }

  get size(): number {
    return this.#keys.size
  }

  get(jkt: string): KeyObject | undefined {
    return this.#keys.get(jkt)
  }

  /**
   * Marks the key as most recently used; evicts the least recently used one when the cache is full.
   */
  set(jkt: string, key: KeyObject): void {
    this.#keys.delete(jkt)
    this.#keys.set(jkt, key)
    if (this.#keys.size <= this.#maxKeys) return
    const oldest = this.#keys.keys().next()
    if (oldest.done !== true) this.#keys.delete(oldest.value)
  }
}
