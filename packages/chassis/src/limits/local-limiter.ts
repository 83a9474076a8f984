import { LRUCache } from 'lru-cache'
import { type Clock, systemClock } from '../clock/index.ts'
import { gcraStep } from './gcra.ts'
import type { LimitDecision, LimitPolicy } from './limit-policy.ts'

/** At the bound the least recently used key is dropped, which only gives it a new burst. */
const KEYS_MAX = 10_000

/**
 * A limit of this process only, synchronous and without Redis. For requests that must stay cheap
 * and are limited to protect this process.
 */
export function createLocalLimiter(
  policy: LimitPolicy,
  clock: Clock = systemClock,
): (key: string) => LimitDecision {
  const arrivals = new LRUCache<string, number>({ max: KEYS_MAX })
  return (key) => {
    const bucket = { tatMs: arrivals.get(key) ?? 0, nowMs: clock.monotonicMs() }
    const { granted, tatMs, remaining, resetMs, retryAfterMs } = gcraStep(policy, bucket, 1)
    arrivals.set(key, tatMs)
    return {
      allowed: granted > 0,
      policy,
      remaining,
      resetSeconds: Math.ceil(resetMs / 1000),
      retryAfterSeconds: Math.ceil(retryAfterMs / 1000),
    }
  }
}
