import { createLimiter, type Limiter, type LimitPolicy } from '@melmastoon/chassis/limits'
import type { KeySpace, Redis } from '@melmastoon/chassis/redis'
import { limitMetrics, type Metrics } from '@melmastoon/chassis/telemetry'

const MINUTE = { periodSeconds: 60 } as const

/**
 * The limits of this service. A guest is a session, or without one an address. Whole neighbourhoods
 * share an address in our markets, so that limit is wide; the one per tenant keeps the flash sale
 * of one hotel from taking the capacity of all others.
 */
const POLICIES = {
  /** Per guest: requests that change nothing. */
  read: { name: 'read', limit: 600, ...MINUTE },
  /** Per guest: requests that change the guest's own data or a booking. */
  change: { name: 'change', limit: 120, ...MINUTE },
  /** Per address: all requests of all its guests. */
  address: { name: 'address', limit: 12_000, burst: 1_600, ...MINUTE },
  /** Per tenant: all requests to its site. */
  tenant: { name: 'tenant', limit: 60_000, burst: 8_000, ...MINUTE },
  /** Instead of it during a flash sale, for which twice as many instances run (T18). */
  tenantFlashSale: { name: 'tenant-flash-sale', limit: 120_000, burst: 16_000, ...MINUTE },
} as const satisfies Record<string, LimitPolicy>

export type LimitName = keyof typeof POLICIES

export type Limits = Readonly<Record<LimitName, Limiter>>

export type PolicyOverrides = Partial<Record<LimitName, LimitPolicy>>

export interface LimitDeps {
  readonly cacheRedis: Redis
  readonly keys: KeySpace
  readonly metrics: Metrics
}

/** Without Redis all of them continue with a limit per process: money paths keep working (D25). */
export function createLimits(
  { cacheRedis: redis, keys, metrics }: LimitDeps,
  { policies }: { readonly policies?: PolicyOverrides },
): Limits {
  const entries = Object.entries({ ...POLICIES, ...policies }).map(([name, policy]) => {
    const observer = limitMetrics(metrics, policy.name)
    return [name, createLimiter({ redis, keys, policy, failure: 'open', ...observer })] as const
  })
  return Object.fromEntries(entries) as Limits
}
