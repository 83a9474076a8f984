import { buildCache, type Cache, type CacheOptions } from './build-cache.ts'

/** Two tiers of bytes that are ready to send (P8). A failure of the cache never fails a request. */
export function createCache(options: CacheOptions): Cache {
  return buildCache(options)
}
