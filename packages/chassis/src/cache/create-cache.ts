import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '../clock/index.ts'
import type { KeySpace, Redis } from '../redis/index.ts'
import type { CacheMetrics } from './cache-metrics.ts'
import { type ResolvedPolicy, resolvePolicy } from './cache-policy.ts'
import { type CacheDefinition, type CacheShared, DefinedCache } from './defined-cache.ts'
import { createL1 } from './l1-store.ts'
import { createL2 } from './l2-store.ts'
import { SingleFlight } from './single-flight.ts'
import { createTagVersionStore } from './tag-version-store.ts'
import { createTagVersions, type TagStamp } from './tag-versions.ts'
import { createWakeUps } from './wake-ups.ts'

export interface CacheOptions {
  keys: KeySpace
  /** The evicting instance: entries and leases. */
  redis: Redis
  /** The instance that evicts nothing: tag versions. */
  versions: Redis
  clock?: Clock
  metrics?: CacheMetrics
  random?: () => number
  l1MaxBytes?: number
  /** Maximum number of waiting requests; further ones get a stale entry, or 503. */
  maxWaiting?: number
  versionPollMs?: number
}

/** For negative controls in tests, which disable a safeguard. */
export interface CacheControls {
  /** Which callers share one load. */
  singleFlight?: 'fleet' | 'process' | 'none' | undefined
  /** A lease shorter than the load allows a second leader. */
  leaseMs?: number | undefined
}

export interface Cache extends Disposable {
  define<const Name extends string>(definition: CacheDefinition<Name>): DefinedCache<Name>
  /** Takes effect in all processes within a second. If it rejects, it was not stored: retry it. */
  invalidate(tags: readonly string[]): Promise<void>
  /** The versions of tags, for what is remembered outside; undefined while one is unknown. */
  stamp(tags: readonly string[]): TagStamp | undefined
  /** Whether none of its tags has been invalidated since, as far as this process knows. */
  isCurrent(stamp: TagStamp): boolean
  readonly l1Bytes: number
}

const L1_BYTES_MAX = 64 * 1024 * 1024
const WAITING_MAX = 10_000
/** Longer than entries live: without their version, outdated entries would become valid again. */
const VERSION_TTL_MS = 7 * 24 * 3_600_000
const LIFE_MAX_MS = VERSION_TTL_MS / 2
const NAME_PATTERN = /^[a-z][a-z0-9-]{0,39}$/

/** Two tiers of response bodies (P8). A failure of the cache never fails a request. */
export function createCache(options: CacheOptions): Cache {
  return buildCache(options)
}

export function buildCache(options: CacheOptions, controls: CacheControls = {}): Cache {
  const metrics = options.metrics ?? {}
  const clock = options.clock ?? systemClock
  const random = options.random ?? Math.random
  const l1 = createL1(options.l1MaxBytes ?? L1_BYTES_MAX)
  const l2 = createL2({ redis: options.redis, prefix: options.keys.prefix('cache'), clock })
  const wakeUps = createWakeUps(options.redis, l2.channelName)
  const versions = createTagVersions({
    store: createTagVersionStore({
      redis: options.versions,
      prefix: options.keys.prefix('cache-tags'),
      ttlMs: VERSION_TTL_MS,
    }),
    onError: (error) => metrics.onStoreError?.(error),
    ...(options.versionPollMs !== undefined && { pollMs: options.versionPollMs }),
  })
  const { singleFlight: mode = 'fleet' } = controls
  const shared: CacheShared = {
    l1,
    versions,
    singleFlight: new SingleFlight({ l2, wakeUps, clock, random, metrics }),
    clock,
    random,
    metrics,
    privateVersionKey: `private:${randomUUID()}`,
    waiting: { count: 0, max: options.maxWaiting ?? WAITING_MAX },
    coalesce: mode !== 'none',
    fleet: mode === 'fleet',
  }
  return {
    define: (definition) => {
      return new DefinedCache(definition, checkedPolicy(definition, controls), shared)
    },
    invalidate: (tags) => versions.invalidate(tags),
    stamp: (tags) => versions.stamp(tags),
    isCurrent: (stamp) => versions.isCurrent(stamp),
    get l1Bytes() {
      return l1.bytes
    },
    [Symbol.dispose]() {
      versions[Symbol.dispose]()
      wakeUps[Symbol.dispose]()
    },
  }
}

function checkedPolicy(
  definition: CacheDefinition<string>,
  controls: CacheControls,
): ResolvedPolicy {
  if (!NAME_PATTERN.test(definition.name)) throw new TypeError('a cache name must be kebab-case')
  const resolved = resolvePolicy(definition)
  const policy = { ...resolved, leaseMs: controls.leaseMs ?? resolved.leaseMs }
  const staleMs = Math.max(policy.staleWhileRevalidateMs, policy.staleIfErrorMs)
  if (policy.softTtlMs() * (1 + policy.jitter) + staleMs > LIFE_MAX_MS) {
    throw new TypeError(
      `cache ${definition.name} must not retain entries longer than half the life of tag versions`,
    )
  }
  return policy
}
