import { problem } from '@melmastoon/domain'
import type { Clock, Deadline } from '../clock/index.ts'
import { Coalescer } from '../concurrency/index.ts'
import type { BrotliUse, CacheEntry } from './cache-entry.ts'
import { type CacheKey, createKeyBuilder, type KeyBuilder } from './cache-key.ts'
import type { CacheMetrics, CacheState } from './cache-metrics.ts'
import type { CachePolicy, DimensionValue, ResolvedPolicy } from './cache-policy.ts'
import { CachedBytes } from './cached-bytes.ts'
import { freshnessOf, isNearExpiry, shouldRefreshEarly } from './freshness.ts'
import type { L1Store } from './l1-store.ts'
import { EMPTY_SNAPSHOT, type Snapshot } from './l2-store.ts'
import type { Load } from './load-entry.ts'
import type { LoadOutcome, SingleFlight } from './single-flight.ts'
import type { TagVersions } from './tag-versions.ts'
import { withinDeadline } from './within-deadline.ts'

export interface CacheDefinition<Name extends string> extends CachePolicy {
  name: string
  /** Everything the content depends on: tenant, locale, currency, role, query… */
  dimensions: readonly Name[]
}

export interface GetRequest<Name extends string> {
  dims: Readonly<Record<Name, DimensionValue>>
  tags?: readonly string[]
  deadline?: Deadline
  load: Load
  /**
   * False: the entry stays in this process, and other processes load their own. For content that
   * costs less to compose from entries that are shared than a lease and a write would.
   */
  isShared?: boolean
}

/** Shared by the caches of one `createCache`. */
export interface CacheShared {
  l1: L1Store
  versions: TagVersions
  singleFlight: SingleFlight
  clock: Clock
  random: () => number
  metrics: CacheMetrics
  /** For keys of entries whose tag versions cannot be read: valid in this process only. */
  privateVersionKey: string
  waiting: { count: number; readonly max: number }
  coalesce: boolean
  fleet: boolean
}

interface Lookup {
  key: CacheKey
  shared: boolean
  load: Load
}

interface MadeKey {
  readonly key: CacheKey
  readonly tags: readonly string[]
  readonly generation: number
}

const NO_TAGS: readonly string[] = []
/** After a failed load, how long a stale entry is served without another attempt. */
const ERROR_BACKOFF_MS = 1_000

export class DefinedCache<Name extends string> {
  readonly name: string
  readonly policy: ResolvedPolicy
  readonly #keys: KeyBuilder
  readonly #shared: CacheShared
  readonly #madeKeys = new WeakMap<object, MadeKey>()
  readonly #lookups = new Coalescer<{ entry: CacheEntry; state: CacheState }>()
  readonly #refreshes = new Coalescer<LoadOutcome>()
  readonly #brotliUse: BrotliUse = { isSent: false }

  constructor(definition: CacheDefinition<Name>, policy: ResolvedPolicy, shared: CacheShared) {
    this.name = definition.name
    this.policy = policy
    this.#keys = createKeyBuilder(definition.name, definition.dimensions)
    this.#shared = shared
  }

  /**
   * Returns a fresh entry of this process synchronously; if undefined, call `get`, which also
   * refreshes an entry that is about to expire. The key of frozen dims with the same list of tags
   * is built once.
   */
  peek(
    dims: Readonly<Record<Name, DimensionValue>>,
    tags: readonly string[] = NO_TAGS,
  ): CachedBytes | undefined {
    const { l1, clock } = this.#shared
    const key = this.#keyOf(dims, tags)
    if (key === undefined) return undefined
    const entry = l1.get(key)
    if (entry === undefined) return undefined
    const nowMs = clock.nowMs()
    if (freshnessOf(entry.fields, nowMs) !== 'fresh') return undefined
    if (this.#isRefreshDue(key, entry, nowMs)) return undefined
    return this.#respond(entry, 'hit', nowMs)
  }

  get(request: GetRequest<Name>): Promise<CachedBytes> {
    const key = this.#keyOf(request.dims, request.tags ?? NO_TAGS)
    if (key === undefined) return this.#loadVersionsThenGet(request)
    return this.#getByKey(request, { key, shared: request.isShared ?? true })
  }

  #keyOf(
    dims: Readonly<Record<Name, DimensionValue>>,
    tags: readonly string[],
  ): CacheKey | undefined {
    const { versions } = this.#shared
    const { generation } = versions
    const made = this.#madeKeys.get(dims)
    if (made !== undefined && made.tags === tags && made.generation === generation) return made.key
    const versionKey = versions.versionKey(tags)
    if (versionKey === undefined) return undefined
    const key = this.#keys.build(dims, versionKey)
    if (Object.isFrozen(dims)) this.#madeKeys.set(dims, { key, tags, generation })
    return key
  }

  async #loadVersionsThenGet(request: GetRequest<Name>): Promise<CachedBytes> {
    const { versions, privateVersionKey } = this.#shared
    const versionKey = await versions.load(request.tags ?? NO_TAGS)
    const tags = (request.tags ?? NO_TAGS).toSorted().join(' ')
    const key = this.#keys.build(request.dims, versionKey ?? `${privateVersionKey} ${tags}`)
    const shared = versionKey !== null && (request.isShared ?? true)
    return await this.#getByKey(request, { key, shared })
  }

  async #getByKey(
    request: GetRequest<Name>,
    { key, shared }: { key: CacheKey; shared: boolean },
  ): Promise<CachedBytes> {
    const lookup = { key, shared, load: request.load }
    return this.#fromL1(lookup) ?? (await this.#wait(lookup, request.deadline))
  }

  #fromL1(lookup: Lookup): CachedBytes | undefined {
    const { l1, clock, metrics } = this.#shared
    const entry = l1.get(lookup.key)
    if (entry === undefined) return undefined
    const nowMs = clock.nowMs()
    const freshness = freshnessOf(entry.fields, nowMs)
    if (freshness === 'fresh') {
      if (this.#isRefreshDue(lookup.key, entry, nowMs)) {
        entry.isRefreshDue = false
        metrics.onEarlyRefresh?.(this.name)
        this.#refreshInBackground(lookup, entry)
      }
      return this.#respond(entry, 'hit', nowMs)
    }
    if (freshness === 'dead') {
      l1.delete(lookup.key)
      return undefined
    }
    const mayRefresh = this.#mayRefresh(lookup.key, entry)
    if (freshness === 'stale' && mayRefresh) this.#refreshInBackground(lookup, entry)
    const serve = freshness === 'stale' || nowMs < entry.retryNotBeforeMs
    return serve ? this.#respond(entry, 'stale', nowMs) : undefined
  }

  /**
   * Whether a fresh entry is refreshed early, decided for each request. `peek` cannot refresh it:
   * the entry keeps the decision for the `get` that follows.
   */
  #isRefreshDue(key: CacheKey, entry: CacheEntry, nowMs: number): boolean {
    if (!isNearExpiry(entry.fields, nowMs) || !this.#mayRefresh(key, entry)) return false
    entry.isRefreshDue ||= shouldRefreshEarly(entry.fields, nowMs, this.#shared.random)
    return entry.isRefreshDue
  }

  #mayRefresh(key: CacheKey, entry: CacheEntry): boolean {
    return !this.#refreshes.isRunning(key) && this.#shared.clock.nowMs() >= entry.retryNotBeforeMs
  }

  async #wait(lookup: Lookup, deadline: Deadline | undefined): Promise<CachedBytes> {
    const { waiting, clock } = this.#shared
    if (waiting.count >= waiting.max) {
      const stale = this.#stale(lookup.key)
      if (stale !== undefined) return stale
      throw problem('MELMASTOON.GENERAL.OVERLOADED')
    }
    waiting.count += 1
    try {
      const { entry, state } = await withinDeadline(this.#lookUp(lookup), deadline)
      return this.#respond(entry, state, clock.nowMs())
    } catch (error) {
      const stale = this.#stale(lookup.key)
      if (stale !== undefined) return stale
      throw error
    } finally {
      waiting.count -= 1
    }
  }

  #lookUp(lookup: Lookup): Promise<{ entry: CacheEntry; state: CacheState }> {
    if (!this.#shared.coalesce) return this.#lookUpAlone(lookup)
    return this.#lookups.run(lookup.key, () => this.#lookUpAlone(lookup))
  }

  async #lookUpAlone(lookup: Lookup): Promise<{ entry: CacheEntry; state: CacheState }> {
    const outcome = await this.#refresh(lookup, EMPTY_SNAPSHOT)
    if (outcome.state === 'stale') this.#refreshInBackground(lookup, outcome.entry)
    return outcome
  }

  #refreshInBackground(lookup: Lookup, seen: CacheEntry): void {
    const snapshot = { writeId: seen.fields.writeId, entry: seen }
    // The failure has set the time of the next attempt; until then the stale entry is served.
    this.#refresh(lookup, snapshot).catch((error: unknown) => {
      this.#shared.metrics.onRefreshError?.(this.name, error)
    })
  }

  #refresh(lookup: Lookup, seen: Snapshot): Promise<LoadOutcome> {
    if (!this.#shared.coalesce) return this.#refreshAlone(lookup, seen)
    return this.#refreshes.run(lookup.key, () => this.#refreshAlone(lookup, seen))
  }

  async #refreshAlone({ key, shared, load }: Lookup, seen: Snapshot): Promise<LoadOutcome> {
    const { l1, singleFlight, clock, fleet } = this.#shared
    const { name: cache, policy } = this
    try {
      const outcome = await singleFlight.run({
        cache,
        key,
        policy,
        load,
        form: this.#brotliUse.isSent ? 'br' : 'zstd',
        shared: shared && fleet,
        seen,
        onFallback: (entry) => l1.set(key, entry),
        hasStale: () => this.#isServable(l1.get(key)),
      })
      outcome.entry.brotliUse = this.#brotliUse
      if (outcome.state !== 'bypass') l1.set(key, outcome.entry)
      return outcome
    } catch (error) {
      const entry = l1.get(key)
      if (entry !== undefined) entry.retryNotBeforeMs = clock.nowMs() + ERROR_BACKOFF_MS
      throw error
    }
  }

  #stale(key: CacheKey): CachedBytes | undefined {
    const { l1, clock } = this.#shared
    const entry = l1.get(key)
    const nowMs = clock.nowMs()
    if (!this.#isServable(entry)) return undefined
    return this.#respond(entry, 'stale', nowMs)
  }

  #isServable(entry: CacheEntry | undefined): entry is CacheEntry {
    return entry !== undefined && freshnessOf(entry.fields, this.#shared.clock.nowMs()) !== 'dead'
  }

  #respond(entry: CacheEntry, state: CacheState, nowMs: number): CachedBytes {
    this.#shared.metrics.onResult?.(this.name, state)
    return new CachedBytes(entry, state, Math.max(0, nowMs - entry.fields.createdAtMs))
  }
}
