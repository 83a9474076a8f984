import { problem } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'
import { type Clock, systemClock } from '../clock/index.ts'
import { defineScript, hashedPart, type KeySpace, type Redis, type Script } from '../redis/index.ts'
import { GCRA_LUA, gcraStep } from './gcra.ts'
import {
  burstOf,
  intervalMsOf,
  type LimitDecision,
  type LimitPolicy,
  RETAINED_MS,
  retainedTokens,
  tokenBatch,
} from './limit-policy.ts'

export interface LimiterOptions {
  redis: Redis
  keys: KeySpace
  policy: LimitPolicy
  /** While Redis is unavailable (D22): reads continue with a limit per process, others fail. */
  failure: 'open' | 'closed'
  clock?: Clock
  onDegraded?: () => void
}

export interface Limiter {
  readonly policy: LimitPolicy
  /** Decides without waiting if this process knows the result already; null otherwise. */
  takeNow(key: string): LimitDecision | null
  /** The same for a key that is used again and again: its bucket is looked up once. */
  hold(key: string): HeldLimit
  take(key: string): Promise<LimitDecision>
  /**
   * Draws a token of a wide limit unless there is one, for a request that will take it. Narrow ones
   * are counted exactly: a token that is taken late would be lost. Never fails.
   */
  prepare(key: string): void
}

export interface HeldLimit {
  /** @param nowMs the monotonic time, read once for several limits. */
  takeNow(nowMs: number): LimitDecision | null
}

interface LocalBucket {
  allowance: number
  /** How many tokens were drawn last: more only for a key that spends them in time. */
  batch: number
  remaining: number
  /** Until then the shared bucket is known to be empty: a rejection costs no round trip. */
  rejectedUntilMs: number
  /** Until then the whole batch may be spent. */
  hotUntilMs: number
  /** Until then a few tokens of the batch may be spent; see `retainedTokens`. */
  validUntilMs: number
  /** The last value from Redis, by our clock: without Redis the limit continues from there. */
  tatMs: number
}

const KEYS_MAX = 50_000
/** An unspent batch is discarded after a second, so that old grants cannot accumulate. */
const BATCH_VALID_MS = 1_000

export function createLimiter(options: LimiterOptions): Limiter {
  const { policy } = options
  const clock = options.clock ?? systemClock
  const retained = retainedTokens(policy)
  const buckets = new LRUCache<string, LocalBucket>({ max: KEYS_MAX })
  const prefix = options.keys.prefix('limit')
  const script = defineScript(options.redis, { name: 'gcra', lua: GCRA_LUA, numberOfKeys: 1 })
  const draw = shareDraws(async (key: string) => {
    const bucket = buckets.get(key) ?? emptyBucket()
    buckets.set(key, bucket)
    await refill({
      bucket,
      key: `${prefix}${policy.name}:${hashedPart(key)}`,
      script,
      clock,
      options,
    })
  })

  function takeNow(key: string): LimitDecision | null {
    const bucket = buckets.get(key)
    return bucket === undefined ? null : takeFrom(bucket, clock.monotonicMs())
  }

  /** A bucket that was evicted still has the tokens that were drawn for it. */
  function hold(key: string): HeldLimit {
    let held = buckets.get(key)
    return {
      takeNow(nowMs) {
        const decision = held === undefined ? null : takeFrom(held, nowMs)
        if (decision !== null) return decision
        const current = buckets.get(key)
        if (current === undefined || current === held) return null
        held = current
        return takeFrom(held, nowMs)
      },
    }
  }

  function takeFrom(bucket: LocalBucket, nowMs: number): LimitDecision | null {
    if (bucket.rejectedUntilMs > nowMs) return decide(policy, bucket, { allowed: false, nowMs })
    if (nowMs > bucket.hotUntilMs) bucket.allowance = Math.min(bucket.allowance, retained)
    if (bucket.allowance === 0 || bucket.validUntilMs < nowMs) return null
    bucket.allowance -= 1
    return decide(policy, bucket, { allowed: true, nowMs })
  }

  async function take(key: string): Promise<LimitDecision> {
    let known = takeNow(key)
    // Other requests may have spent the whole batch: draw again until the bucket is empty.
    while (known === null) {
      await draw(key)
      known = takeNow(key)
    }
    return known
  }

  function prepare(key: string): void {
    if (retained === 0) return
    const { allowance, validUntilMs } = buckets.get(key) ?? emptyBucket()
    if (allowance > 0 && validUntilMs >= clock.monotonicMs()) return
    // The request draws again and reports the failure.
    draw(key).catch(() => undefined)
  }

  return { policy, takeNow, hold, take, prepare }
}

/** Concurrent requests of one key share one draw instead of each taking a batch. */
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
  bucket.batch = nextBatch(policy, bucket, clock.monotonicMs())
  const args = [intervalMsOf(policy), burstOf(policy), bucket.batch]
  try {
    const reply = await script.run([key], args)
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

/**
 * Unspent tokens are lost to their key, so a slow key draws as few as it needs: one at first, and
 * as many as may be retained when it comes back.
 */
function nextBatch(policy: LimitPolicy, bucket: LocalBucket, nowMs: number): number {
  const isHot = bucket.allowance === 0 && bucket.hotUntilMs >= nowMs
  if (isHot) return Math.min(tokenBatch(policy), bucket.batch * 2)
  return bucket.validUntilMs >= nowMs ? Math.max(1, retainedTokens(policy)) : 1
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
  bucket.rejectedUntilMs = given.granted > 0 ? 0 : nowMs + given.retryAfterMs
  bucket.hotUntilMs = nowMs + BATCH_VALID_MS
  bucket.validUntilMs = nowMs + RETAINED_MS
}

function decide(
  policy: LimitPolicy,
  bucket: LocalBucket,
  { allowed, nowMs }: { allowed: boolean; nowMs: number },
): LimitDecision {
  const waitMs = allowed ? 0 : Math.max(1, bucket.rejectedUntilMs - nowMs)
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
    batch: 1,
    remaining: 0,
    rejectedUntilMs: 0,
    hotUntilMs: Number.NEGATIVE_INFINITY,
    validUntilMs: Number.NEGATIVE_INFINITY,
    tatMs: 0,
  }
}
