import { buildCache, type CacheControls } from '../../src/cache/create-cache.ts'
import type { Cache, CacheOptions } from '../../src/cache/index.ts'
import { createKeySpace, createRedis, type Redis } from '../../src/redis/index.ts'

export interface RedisUrls {
  cacheUrl: string
  sessionUrl: string
}

export interface OpenCache extends AsyncDisposable {
  readonly cache: Cache
  readonly redis: Redis
  readonly versions: Redis
  /** How often each metric was called, results by their state. */
  readonly counts: Record<string, number>
}

export const TEST_KEYS = createKeySpace('test-service')
export const COMMAND_TIMEOUT_MS = 1_500

export type OpenOptions = Partial<Omit<CacheOptions, 'redis' | 'versions'>> & CacheControls

/** Simulates a process: a cache with its own memory and connections. */
export function openCache(urls: RedisUrls, options: OpenOptions = {}): OpenCache {
  const { singleFlight, leaseMs, ...rest } = options
  const counts: Record<string, number> = {}
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  const onError = () => count('redisError')
  const settings = { name: 'test', onError, commandTimeoutMs: COMMAND_TIMEOUT_MS }
  const redis = createRedis(urls.cacheUrl, settings)
  const versions = createRedis(urls.sessionUrl, settings)
  const metrics = {
    onResult: (_: string, state: string) => count(state),
    onUpstreamCall: () => count('upstreamCall'),
    onFencedWrite: () => count('fencedWrite'),
    onEarlyRefresh: () => count('earlyRefresh'),
    onStoreError: () => count('storeError'),
  }
  const cache = buildCache(
    { redis, versions, keys: TEST_KEYS, metrics, ...rest },
    { singleFlight, leaseMs },
  )
  return {
    cache,
    redis,
    versions,
    counts,
    async [Symbol.asyncDispose]() {
      cache[Symbol.dispose]()
      redis.disconnect()
      versions.disconnect()
    },
  }
}
