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
