import { problem } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'
import { type Clock, systemClock } from '../clock/index.ts'
import { defineScript, type Redis, type Script } from '../redis/index.ts'
import { GCRA_LUA, gcraStep } from './gcra.ts'
import {
  burstOf,
  handfulOf,
  intervalMsOf,
  type LimitDecision,
  type LimitPolicy,
} from './limit-policy.ts'

export interface LimiterOptions {
  redis: Redis
  policy: LimitPolicy
  /** With Redis gone (D22): reading paths go on with a limit per process, others refuse. */
  failure: 'open' | 'closed'
  clock?: Clock
  onDegraded?: () => void
}

export interface Limiter {
  readonly policy: LimitPolicy
  /** Decides without waiting when this process knows the answer already; null when it does not. */
  takeNow(key: string): LimitDecision | null
  take(key: string): Promise<LimitDecision>
}

interface LocalBucket {
  allowance: number
  /** How many were drawn last: more only for a key that spends them in time. */
  handful: number
  remaining: number
  /** Until then the shared bucket is known to be empty: refusing costs no round trip. */
  refusedUntilMs: number
  /** An unspent handful is given up after a second, so that old grants cannot pile up. */
  validUntilMs: number
  /** As Redis told it last, by our clock: while it is away the limit goes on from there. */
  tatMs: number
}

const KEYS_MAX = 20_000
const HANDFUL_VALID_MS = 1_000

export function createLimiter(options: LimiterOptions): Limiter {
  const { policy } = options
  const clock = options.clock ?? systemClock
  const buckets = new LRUCache<string, LocalBucket>({ max: KEYS_MAX })
  const script = defineScript(options.redis, { name: 'gcra', lua: GCRA_LUA, numberOfKeys: 1 })
  const draw = shareDraws(async (key: string) => {
    const bucket = buckets.get(key) ?? emptyBucket()
    buckets.set(key, bucket)
    await refill({ bucket, key, script, clock, options })
  })

  function takeNow(key: string): LimitDecision | null {
    const bucket = buckets.get(key)
    if (bucket === undefined) return null
    const nowMs = clock.monotonicMs()
    if (bucket.refusedUntilMs > nowMs) return decide(policy, bucket, { allowed: false, nowMs })
    if (bucket.allowance === 0 || bucket.validUntilMs < nowMs) return null
    bucket.allowance -= 1
    return decide(policy, bucket, { allowed: true, nowMs })
  }

  async function take(key: string): Promise<LimitDecision> {
    let known = takeNow(key)
    // Others may have spent the whole handful: draw again, until the bucket itself is empty.
    while (known === null) {
      await draw(key)
      known = takeNow(key)
    }
    return known
  }

  return { policy, takeNow, take }
}

/** Concurrent requests of one key share one draw instead of each taking a handful. */
function shareDraws(draw: (key: string) => Promise<void>) {
  const running = new Map<string, Promise<void>>()
  return (key: string): Promise<void> => {
    const current = running.get(key)
    if (current !== undefined) return current
    const started = draw(key).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}

interface Refill {
  bucket: LocalBucket
  key: string
  script: Script
  clock: Clock
  options: LimiterOptions
}

async function refill({ bucket, key, script, clock, options }: Refill): Promise<void> {
  const { policy } = options
  bucket.handful = nextHandful(bucket, handfulOf(policy), clock.monotonicMs())
  const args = [intervalMsOf(policy), burstOf(policy), bucket.handful]
  try {
    const reply = await script.run([`limit:${policy.name}:${key}`], args)
    const [granted = 0, remaining = 0, resetMs = 0, retryMs = 0] = (reply as number[]).map(Number)
    grant(bucket, { granted, remaining, resetMs, retryAfterMs: retryMs }, clock.monotonicMs())
  } catch (cause) {
    options.onDegraded?.()
    if (options.failure === 'closed') {
      throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
    }
    const nowMs = clock.monotonicMs()
    grant(bucket, gcraStep(policy, { tatMs: bucket.tatMs, nowMs }, 1), nowMs)
  }
}

/** What is drawn and not spent is lost to its key, so a slow one draws what it needs. */
function nextHandful(bucket: LocalBucket, max: number, nowMs: number): number {
  const isHot = bucket.allowance === 0 && bucket.validUntilMs >= nowMs
  return isHot ? Math.min(max, bucket.handful * 2) : 1
}

interface Grant {
  granted: number
  remaining: number
  resetMs: number
  retryAfterMs: number
}

function grant(bucket: LocalBucket, given: Grant, nowMs: number): void {
  bucket.allowance = given.granted
  bucket.remaining = given.remaining
  bucket.tatMs = nowMs + given.resetMs
  bucket.refusedUntilMs = given.granted > 0 ? 0 : nowMs + given.retryAfterMs
  bucket.validUntilMs = nowMs + HANDFUL_VALID_MS
}

function decide(
  policy: LimitPolicy,
  bucket: LocalBucket,
  { allowed, nowMs }: { allowed: boolean; nowMs: number },
): LimitDecision {
  const waitMs = allowed ? 0 : Math.max(1, bucket.refusedUntilMs - nowMs)
  return {
    allowed,
    policy,
    remaining: allowed ? bucket.remaining + bucket.allowance : 0,
    resetSeconds: Math.max(0, Math.ceil((bucket.tatMs - nowMs) / 1000)),
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  }
}

function emptyBucket(): LocalBucket {
  return {
    allowance: 0,
    handful: 1,
    remaining: 0,
    refusedUntilMs: 0,
    validUntilMs: Number.NEGATIVE_INFINITY,
    tatMs: 0,
  }
}
