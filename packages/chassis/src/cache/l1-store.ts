import { LRUCache } from 'lru-cache'
import type { CacheEntry } from './cache-entry.ts'
import type { CacheKey } from './cache-key.ts'

/**
 * Entries of this process, bounded by bytes; at the bound the least recently used are evicted. An
 * entry has the same expiry as in L2.
 */
export interface L1Store {
  get(key: CacheKey): CacheEntry | undefined
  set(key: CacheKey, entry: CacheEntry): void
  delete(key: CacheKey): void
  readonly bytes: number
}

export function createL1(maxBytes: number): L1Store {
  const entries = new LRUCache<CacheKey, CacheEntry>({
    maxSize: maxBytes,
    sizeCalculation: (entry, key) => Math.ceil(entry.footprintBytes + 2 * key.length),
  })
  return {
    get: (key) => entries.get(key),
    set(key, entry) {
      entry.onResize = () => {
        if (entries.peek(key) !== entry) return
        // Setting the same entry would keep its earlier size.
        entries.delete(key)
        entries.set(key, entry)
      }
      entries.set(key, entry)
    },
    delete: (key) => void entries.delete(key),
    get bytes() {
      return entries.calculatedSize
    },
  }
}
