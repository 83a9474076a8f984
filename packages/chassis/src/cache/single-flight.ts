import { randomUUID } from 'node:crypto'
import { isProblem, isProblemCode, type Problem, problem } from '@melmastoon/domain'
import type { Clock } from '../clock/index.ts'
import type { CacheEntry } from './cache-entry.ts'
import { type CacheKey, entryId } from './cache-key.ts'
import type { CacheMetrics } from './cache-metrics.ts'
import type { ResolvedPolicy } from './cache-policy.ts'
import { encodeFrame } from './frame.ts'
import { freshnessOf } from './freshness.ts'
import {
  type Acquired,
  EMPTY_SNAPSHOT,
  type L2Store,
  type Lease,
  type Snapshot,
} from './l2-store.ts'
import { type Load, loadEntry } from './load-entry.ts'
import { encodeWake, type Waiter, type WakeReason, type WakeUps } from './wake-ups.ts'

export interface LoadRequest {
  cache: string
  key: CacheKey
  policy: ResolvedPolicy
  load: Load
  /** The compressed form that is made first. */
  form: 'zstd' | 'br'
  /** False: the key is valid in this process only, or the entry is not shared. */
  shared: boolean
  /** If empty, a stale entry is returned immediately and the caller refreshes it. */
  seen: Snapshot
  /** Called with an entry that is too old to be served unless the load fails. */
  onFallback: (entry: CacheEntry) => void
  hasStale: () => boolean
}

export interface LoadOutcome {
  entry: CacheEntry
  state: 'hit' | 'stale' | 'miss' | 'bypass'
}

interface Attempt {
  readonly token: string
  readonly endsAtMs: number
  seen: Snapshot
}

interface SingleFlightOptions {
  l2: L2Store
  wakeUps: WakeUps
  clock: Clock
  random: () => number
  metrics: CacheMetrics
}

/**
 * One load for the whole fleet (D10). Called once per key and process at a time.
 *
 *   acquire → leader: load, write while the lease holds, wake the followers
 *           → newer:  another process has just written, use its entry
 *           → held:   wait for the wake-up, then try again
 *
 * A leader that fails notifies its followers; one that dies is detected by the end of its lease. A
 * follower whose wait is over with nothing stale to serve loads directly, and so does every process
 * while Redis is unavailable: the caller's bulkhead limits those loads.
 */
export class SingleFlight {
  readonly #options: SingleFlightOptions

  constructor(options: SingleFlightOptions) {
    this.#options = options
  }

  async run(request: LoadRequest): Promise<LoadOutcome> {
    const { l2, clock, wakeUps } = this.#options
    const endsAtMs = clock.monotonicMs() + request.policy.followerWaitMs
    const attempt: Attempt = { token: randomUUID(), seen: request.seen, endsAtMs }
    for (;;) {
      if (!request.shared || !l2.isAvailable()) return await this.#loadAlone(request)
      const waiter = wakeUps.expect(entryId(request.key))
      try {
        const outcome = await this.#attempt(request, attempt, waiter)
        if (outcome !== 'again') return outcome
      } finally {
        waiter[Symbol.dispose]()
      }
    }
  }

  async #attempt(
    request: LoadRequest,
    attempt: Attempt,
    waiter: Waiter,
  ): Promise<LoadOutcome | 'again'> {
    const acquired = await this.#acquire(request, attempt)
    if (acquired === null) return await this.#loadAlone(request)
    if (acquired.kind === 'leader') return await this.#lead(request, attempt.token)
    if (acquired.kind === 'newer') return this.#take(request, attempt, acquired.snapshot)
    const leftMs = attempt.endsAtMs - this.#options.clock.monotonicMs()
    if (leftMs <= 0) return await this.#giveUpWaiting(request)
    const untilLeaseEndsMs = acquired.remainingMs + 1
    const reason = await this.#follow(request, () =>
      waiter.wait(acquired.holder, Math.min(leftMs, untilLeaseEndsMs)),
    )
    if (reason.kind === 'failed') throw leaderFailure(reason.code)
    return reason.kind === 'uncacheable' ? await this.#loadAlone(request) : 'again'
  }

  #take(request: LoadRequest, attempt: Attempt, found: Snapshot): LoadOutcome | 'again' {
    const { entry } = found
    attempt.seen = found
    if (entry === null) return 'again'
    const freshness = freshnessOf(entry.fields, this.#options.clock.nowMs())
    if (freshness === 'fresh') return { entry, state: 'hit' }
    if (freshness === 'stale' && request.seen === EMPTY_SNAPSHOT) return { entry, state: 'stale' }
    if (freshness !== 'dead') request.onFallback(entry)
    return 'again'
  }

  async #acquire({ key, policy }: LoadRequest, attempt: Attempt): Promise<Acquired | null> {
    const { l2, metrics } = this.#options
    const { token, seen } = attempt
    try {
      return await l2.acquire({ key, token }, { leaseMs: policy.leaseMs, seen })
    } catch (error) {
      metrics.onStoreError?.(error)
      return null
    }
  }

  async #follow(request: LoadRequest, wait: () => Promise<WakeReason>): Promise<WakeReason> {
    const { clock, metrics } = this.#options
    const fromMs = clock.monotonicMs()
    const reason = await wait()
    metrics.onLeaseWait?.(request.cache, clock.monotonicMs() - fromMs)
    return reason
  }

  async #lead(request: LoadRequest, token: string): Promise<LoadOutcome> {
    const lease = { key: request.key, token }
    try {
      const { entry, cacheable } = await this.#load(request)
      if (cacheable) this.#commit(request, lease, entry)
      else this.#release(lease, { kind: 'uncacheable' })
      return { entry, state: cacheable ? 'miss' : 'bypass' }
    } catch (error) {
      this.#release(lease, { kind: 'failed', code: asLoadProblem(error).code })
      throw error
    }
  }

  /** A stale entry is better than a second load; without one, load directly (D10). */
  async #giveUpWaiting(request: LoadRequest): Promise<LoadOutcome> {
    if (request.hasStale()) throw problem('MELMASTOON.BFF.UPSTREAM_TIMEOUT')
    return await this.#loadAlone(request)
  }

  async #loadAlone(request: LoadRequest): Promise<LoadOutcome> {
    const { entry, cacheable } = await this.#load(request)
    return { entry, state: cacheable ? 'miss' : 'bypass' }
  }

  #load({ cache, load, policy, form }: LoadRequest): ReturnType<typeof loadEntry> {
    const { clock, random, metrics } = this.#options
    metrics.onUpstreamCall?.(cache)
    return loadEntry(load, { policy, clock, random, form })
  }

  /** Not awaited: this process has the entry; a failed write only costs other processes a load. */
  #commit(request: LoadRequest, lease: Lease, entry: CacheEntry): void {
    const { l2, clock, metrics } = this.#options
    const ttlMs = entry.fields.hardExpiryMs - clock.nowMs()
    const wake = wakeText(lease, { kind: 'written' })
    if (ttlMs <= 0) return this.#release(lease, { kind: 'uncacheable' })
    l2.commit(lease, { frame: encodeFrame(entry), ttlMs, wake }).then(
      (written) => {
        if (!written) metrics.onFencedWrite?.(request.cache)
      },
      (error: unknown) => metrics.onStoreError?.(error),
    )
  }

  #release(lease: Lease, reason: WakeReason): void {
    const { l2, metrics } = this.#options
    l2.release(lease, wakeText(lease, reason)).catch((error: unknown) => {
      metrics.onStoreError?.(error)
    })
  }
}

function wakeText({ key, token }: Lease, reason: WakeReason): string {
  return encodeWake({ id: entryId(key), token, reason })
}

/** Only the code is sent: a message may contain data that must not leave the process. */
function asLoadProblem(error: unknown): Problem {
  return isProblem(error) ? error : problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
}

function leaderFailure(code: string): Problem {
  return problem(isProblemCode(code) ? code : 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
}
