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
  retainedTokens,
  tokenBatch,
} from './limit-policy.ts'
import { decide, emptyBucket, grant, type LocalBucket, nextBatch } from './local-bucket.ts'

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

const KEYS_MAX = 50_000
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
    return bucket === undefined ? null : takeFrom(key, bucket, clock.monotonicMs())
  }

  /** A bucket that was evicted still has the tokens that were drawn for it. */
  function hold(key: string): HeldLimit {
    let held = buckets.get(key)
    return {
      takeNow(nowMs) {
        const decision = held === undefined ? null : takeFrom(key, held, nowMs)
        if (decision !== null) return decision
        const current = buckets.get(key)
        if (current === undefined || current === held) return null
        held = current
        return takeFrom(key, held, nowMs)
      },
    }
  }

  function takeFrom(key: string, bucket: LocalBucket, nowMs: number): LimitDecision | null {
    if (bucket.rejectedUntilMs > nowMs) return decide(policy, bucket, { allowed: false, nowMs })
    if (nowMs > bucket.hotUntilMs) bucket.allowance = Math.min(bucket.allowance, retained)
    if (bucket.allowance === 0 || bucket.validUntilMs < nowMs) return null
    bucket.allowance -= 1
    if (isHalfSpent(bucket, nowMs)) drawInBackground(key)
    return decide(policy, bucket, { allowed: true, nowMs })
  }

  /** Of a busy key: the next batch is drawn before a request has to wait for it. */
  function isHalfSpent({ allowance, batch, hotUntilMs }: LocalBucket, nowMs: number): boolean {
    return retained > 0 && batch > retained && allowance === batch >> 1 && nowMs <= hotUntilMs
  }

  /** A request that finds no token draws again and reports the failure. */
  function drawInBackground(key: string): void {
    draw(key).catch(() => undefined)
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
    drawInBackground(key)
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
  // Never more than one batch of the largest size is unspent.
  const count = Math.max(1, Math.min(bucket.batch, tokenBatch(policy) - bucket.allowance))
  const args = [intervalMsOf(policy), burstOf(policy), count]
  try {
    const reply = await script.run([key], args)
    const [granted = 0, remaining = 0, resetMs = 0, retryMs = 0] = (reply as number[]).map(Number)
    const given = { granted, remaining, resetMs, retryAfterMs: retryMs }
    grant(policy, bucket, { given, nowMs: clock.monotonicMs() })
  } catch (cause) {
    options.onDegraded?.()
    if (options.failure === 'closed') {
      throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
    }
    const nowMs = clock.monotonicMs()
    grant(policy, bucket, { given: gcraStep(policy, { tatMs: bucket.tatMs, nowMs }, 1), nowMs })
  }
}
