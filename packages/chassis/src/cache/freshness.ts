import type { ResolvedPolicy } from './cache-policy.ts'

export interface Lifetime {
  /** When the load began: the content is at least this old. */
  readonly createdAtMs: number
  readonly softExpiryMs: number
  readonly staleUntilMs: number
  readonly hardExpiryMs: number
  /** How long the load took (δ of XFetch). */
  readonly loadMs: number
}

/**
 * fresh → serve; stale → serve and refresh in the background; fallback → load first, serve this
 * only when the load fails; dead → treat as absent.
 */
type Freshness = 'fresh' | 'stale' | 'fallback' | 'dead'

/** Only in the last tenth of the lifetime, or slow loads would refresh all the time. */
const EARLY_SHARE = 0.1

interface LoadTiming {
  status: number
  startedAtMs: number
  loadMs: number
  random: number
  freshForMs?: number | undefined
}

export function planLifetime(policy: ResolvedPolicy, timing: LoadTiming): Lifetime {
  const { startedAtMs: createdAtMs, loadMs } = timing
  const spread = 1 + policy.jitter * (2 * timing.random - 1)
  if (timing.status === 404) {
    const endMs = createdAtMs + Math.round(policy.negativeTtlMs * spread)
    return { createdAtMs, softExpiryMs: endMs, staleUntilMs: endMs, hardExpiryMs: endMs, loadMs }
  }
  const policyMs = policy.softTtlMs()
  const softTtlMs = Math.min(policyMs, timing.freshForMs ?? policyMs)
  const softExpiryMs = createdAtMs + Math.round(softTtlMs * spread)
  // Incomplete content is not served again while a complete version is loaded.
  const staleMs = softTtlMs < policyMs ? 0 : policy.staleWhileRevalidateMs
  const staleUntilMs = softExpiryMs + staleMs
  const hardExpiryMs = Math.max(staleUntilMs, softExpiryMs + policy.staleIfErrorMs)
  return { createdAtMs, softExpiryMs, staleUntilMs, hardExpiryMs, loadMs }
}

export function freshnessOf(lifetime: Lifetime, nowMs: number): Freshness {
  if (nowMs < lifetime.softExpiryMs) return 'fresh'
  if (nowMs < lifetime.staleUntilMs) return 'stale'
  return nowMs < lifetime.hardExpiryMs ? 'fallback' : 'dead'
}

export function isNearExpiry(lifetime: Lifetime, nowMs: number): boolean {
  return nowMs >= nearExpiryFromMs(lifetime)
}

export function nearExpiryFromMs({ softExpiryMs, createdAtMs }: Lifetime): number {
  return softExpiryMs - (softExpiryMs - createdAtMs) * EARLY_SHARE
}

/** XFetch (Vattani et al., VLDB 2015) with β = 1: refresh when now − δ·ln(random) ≥ expiry. */
export function shouldRefreshEarly(
  lifetime: Lifetime,
  nowMs: number,
  random: () => number,
): boolean {
  if (!isNearExpiry(lifetime, nowMs)) return false
  const remainingMs = lifetime.softExpiryMs - nowMs
  return -Math.max(lifetime.loadMs, 1) * Math.log(random()) >= remainingMs
}
