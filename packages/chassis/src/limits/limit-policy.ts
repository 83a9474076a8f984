export interface LimitPolicy {
  /** A token of RFC 9651, used in headers, metrics and keys. */
  name: string
  /** So many in every period, evenly spread, with up to `burst` at once. */
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
 * The shared bucket is drawn in small handfuls, spent in process: a busy key goes to Redis once
 * per handful. Each process may then let through at most one handful more than its share.
 */
const HANDFULS_PER_BURST = 16

export function handfulOf(policy: LimitPolicy): number {
  return Math.max(1, Math.floor(burstOf(policy) / HANDFULS_PER_BURST))
}
