export interface LimitPolicy {
  /** A token of RFC 9651, used in headers, metrics and keys. */
  name: string
  /** Requests per period, evenly spread, with a burst of up to `burst`. */
  limit: number
  periodSeconds: number
  burst?: number
}

export interface LimitDecision {
  allowed: boolean
  policy: LimitPolicy
  remaining: number
  /** Seconds until the whole burst is available again. */
  resetSeconds: number
  /** Seconds until one more is allowed; 0 when this one was. */
  retryAfterSeconds: number
}

export function burstOf(policy: LimitPolicy): number {
  return policy.burst ?? policy.limit
}

export function intervalMsOf(policy: LimitPolicy): number {
  return (policy.periodSeconds * 1000) / policy.limit
}

/**
 * Tokens of the shared bucket are drawn in small batches and spent in process: a busy key costs one
 * round trip per batch. Each process may then admit at most one batch more than its share.
 */
const BATCHES_PER_BURST = 16

export function tokenBatch(policy: LimitPolicy): number {
  return Math.max(1, Math.floor(burstOf(policy) / BATCHES_PER_BURST))
}

/** How long a process may keep a few unspent tokens of a key that comes back from time to time. */
export const RETAINED_MS = 60_000
const RETAINED_TOKENS_MAX = 8
const RETAINED_SHARE = 64

/**
 * No more than a small share of what the bucket regains in that time, so that losing them makes no
 * difference; 0 for narrow limits, which are counted exactly.
 */
export function retainedTokens(policy: LimitPolicy): number {
  const share = Math.floor(RETAINED_MS / intervalMsOf(policy) / RETAINED_SHARE)
  return Math.min(share, tokenBatch(policy), RETAINED_TOKENS_MAX)
}
