export type DimensionValue = string | number | boolean

export interface CachePolicy {
  /** A function is called for each new entry, so a changed value never expires older entries. */
  softTtlMs: number | (() => number)
  staleWhileRevalidateMs: number
  staleIfErrorMs: number
  /** How long a 404 is cached. */
  negativeTtlMs?: number
  jitter?: number
  /** The upstream's deadline for one load. The lease outlives it by a second (D10). */
  loadTimeoutMs?: number
  /** How long a process waits for the load of another process before it loads itself (D10: 4 s). */
  followerWaitMs?: number
  /**
   * False: responses are composed of the entries, which are never sent as they are. Then they have
   * no entity tag, and only large ones are compressed.
   */
  isSent?: boolean
}

export interface ResolvedPolicy {
  readonly softTtlMs: () => number
  readonly staleWhileRevalidateMs: number
  readonly staleIfErrorMs: number
  readonly negativeTtlMs: number
  readonly jitter: number
  readonly loadTimeoutMs: number
  readonly followerWaitMs: number
  readonly leaseMs: number
  readonly isSent: boolean
}

const LEASE_MIN_MS = 5_000
const LEASE_MARGIN_MS = 1_000

export function resolvePolicy(policy: CachePolicy): ResolvedPolicy {
  const { softTtlMs } = policy
  const loadTimeoutMs = policy.loadTimeoutMs ?? 4_000
  const resolved = {
    softTtlMs: typeof softTtlMs === 'number' ? () => softTtlMs : softTtlMs,
    staleWhileRevalidateMs: policy.staleWhileRevalidateMs,
    staleIfErrorMs: policy.staleIfErrorMs,
    negativeTtlMs: policy.negativeTtlMs ?? 5_000,
    jitter: policy.jitter ?? 0.1,
    loadTimeoutMs,
    followerWaitMs: policy.followerWaitMs ?? 4_000,
    leaseMs: Math.max(LEASE_MIN_MS, loadTimeoutMs + LEASE_MARGIN_MS),
    isSent: policy.isSent ?? true,
  }
  for (const [name, value] of Object.entries(resolved)) {
    const valid = typeof value !== 'number' || (Number.isFinite(value) && value >= 0)
    if (!valid) throw new TypeError(`cache policy ${name} must be a number of at least 0`)
  }
  if (resolved.jitter >= 1) throw new TypeError('cache policy jitter must be below 1')
  return resolved
}
