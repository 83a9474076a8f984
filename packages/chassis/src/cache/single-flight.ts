import { randomUUID } from 'node:crypto'
import { isProblem, isProblemCode, type Problem, problem } from '@melmastoon/domain'
import type { Clock } from '../clock/index.ts'
import type { CacheEntry } from './cache-entry.ts'
import { type CacheKey, redisKeys } from './cache-key.ts'
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

export interface Flight {
  cache: string
  key: CacheKey
  policy: ResolvedPolicy
  load: Load
  /** False when the key holds for this process alone (tag versions unknown). */
  shared: boolean
  /** Nothing yet: then what is stale is good enough, and the caller has it refreshed. */
  seen: Snapshot
  /** What is found, and too old to be served unless the load fails. */
  onKept: (entry: CacheEntry) => void
  hasStale: () => boolean
}

export interface Landed {
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
 *   acquire → leader: load, write while the lease holds, wake the others
 *           → newer:  somebody has just written, take that
 *           → held:   wait for the wake-up, then look again
 *
 * A leader that fails tells it; one that dies is found out by its lease's end. A follower that has
 * waited its time with nothing stale to serve, and anybody while Redis is away, loads directly: the
 * caller's bulkhead bounds it.
 */
export class SingleFlight {
  readonly #options: SingleFlightOptions

  constructor(options: SingleFlightOptions) {
    this.#options = options
  }

  async fly(flight: Flight): Promise<Landed> {
    const { l2, clock, wakeUps } = this.#options
    const endsAtMs = clock.monotonicMs() + flight.policy.followerWaitMs
    const attempt: Attempt = { token: randomUUID(), seen: flight.seen, endsAtMs }
    for (;;) {
      if (!flight.shared || !l2.isAvailable()) return await this.#loadAlone(flight)
      const waiter = wakeUps.expect(redisKeys(flight.key).id)
      try {
        const landed = await this.#attempt(flight, attempt, waiter)
        if (landed !== 'again') return landed
      } finally {
        waiter[Symbol.dispose]()
      }
    }
  }

  async #attempt(flight: Flight, attempt: Attempt, waiter: Waiter): Promise<Landed | 'again'> {
    const acquired = await this.#acquire(flight, attempt)
    if (acquired === null) return await this.#loadAlone(flight)
    if (acquired.kind === 'leader') return await this.#lead(flight, attempt.token)
    if (acquired.kind === 'newer') return this.#take(flight, attempt, acquired.snapshot)
    const leftMs = attempt.endsAtMs - this.#options.clock.monotonicMs()
    if (leftMs <= 0) return await this.#giveUpWaiting(flight)
    const untilLeaseEndsMs = acquired.remainingMs + 1
    const reason = await this.#follow(flight, () =>
      waiter.wait(acquired.holder, Math.min(leftMs, untilLeaseEndsMs)),
    )
    if (reason.kind === 'failed') throw leaderFailure(reason.code)
    return reason.kind === 'uncacheable' ? await this.#loadAlone(flight) : 'again'
  }

  #take(flight: Flight, attempt: Attempt, found: Snapshot): Landed | 'again' {
    const { entry } = found
    attempt.seen = found
    if (entry === null) return 'again'
    const freshness = freshnessOf(entry.fields, this.#options.clock.nowMs())
    if (freshness === 'fresh') return { entry, state: 'hit' }
    if (freshness === 'stale' && flight.seen === EMPTY_SNAPSHOT) return { entry, state: 'stale' }
    if (freshness !== 'dead') flight.onKept(entry)
    return 'again'
  }

  async #acquire({ key, policy }: Flight, attempt: Attempt): Promise<Acquired | null> {
    const { l2, metrics } = this.#options
    const { token, seen } = attempt
    try {
      return await l2.acquire({ key, token }, { leaseMs: policy.leaseMs, seen })
    } catch (error) {
      metrics.onStoreError?.(error)
      return null
    }
  }

  async #follow(flight: Flight, wait: () => Promise<WakeReason>): Promise<WakeReason> {
    const { clock, metrics } = this.#options
    const fromMs = clock.monotonicMs()
    const reason = await wait()
    metrics.onLeaseWait?.(flight.cache, clock.monotonicMs() - fromMs)
    return reason
  }

  async #lead(flight: Flight, token: string): Promise<Landed> {
    const lease = { key: flight.key, token }
    try {
      const { entry, cacheable } = await this.#load(flight)
      if (cacheable) this.#commit(flight, lease, entry)
      else this.#release(lease, { kind: 'uncacheable' })
      return { entry, state: cacheable ? 'miss' : 'bypass' }
    } catch (error) {
      this.#release(lease, { kind: 'failed', code: asLoadProblem(error).code })
      throw error
    }
  }

  /** What is stale is better than a second load; without it one direct fetch is due (D10). */
  async #giveUpWaiting(flight: Flight): Promise<Landed> {
    if (flight.hasStale()) throw problem('MELMASTOON.BFF.UPSTREAM_TIMEOUT')
    return await this.#loadAlone(flight)
  }

  async #loadAlone(flight: Flight): Promise<Landed> {
    const { entry, cacheable } = await this.#load(flight)
    return { entry, state: cacheable ? 'miss' : 'bypass' }
  }

  #load({ cache, load, policy }: Flight): ReturnType<typeof loadEntry> {
    const { clock, random, metrics } = this.#options
    metrics.onUpstreamCall?.(cache)
    return loadEntry(load, { policy, clock, random })
  }

  /** Not awaited: this process already has the entry, and a failed write only costs the others. */
  #commit(flight: Flight, lease: Lease, entry: CacheEntry): void {
    const { l2, clock, metrics } = this.#options
    const ttlMs = entry.fields.hardExpiryMs - clock.nowMs()
    const wake = wakeText(lease, { kind: 'written' })
    if (ttlMs <= 0) return this.#release(lease, { kind: 'uncacheable' })
    l2.commit(lease, { frame: encodeFrame(entry), ttlMs, wake }).then(
      (written) => {
        if (!written) metrics.onFencedWrite?.(flight.cache)
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
  return encodeWake({ id: redisKeys(key).id, token, reason })
}

/** Only the code travels: a message may hold what must not leave the process. */
function asLoadProblem(error: unknown): Problem {
  return isProblem(error) ? error : problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
}

function leaderFailure(code: string): Problem {
  return problem(isProblemCode(code) ? code : 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
}
