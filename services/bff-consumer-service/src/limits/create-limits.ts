import { createLimiter, type Limiter, type LimitPolicy } from '@melmastoon/chassis/limits'
import type { KeySpace, Redis } from '@melmastoon/chassis/redis'
import { limitMetrics, type Metrics } from '@melmastoon/chassis/telemetry'

const MINUTE = { periodSeconds: 60 } as const
const HOUR = { periodSeconds: 3_600 } as const

/**
 * The limits of this service. A guest is a session, or without one an address; a device is an
 * address and a fingerprint together, because equal browsers share a fingerprint worldwide. Whole
 * neighbourhoods share an address in our markets, so limits per address are wide. Wide limits have
 * small bursts: a token batch is a share of the burst, and unused tokens of it are lost.
 */
const POLICIES = {
  /** Per guest: requests that change nothing, also by POST. */
  read: { name: 'read', limit: 1_200, ...MINUTE },
  /** Per guest: requests that change the guest's own data. */
  change: { name: 'change', limit: 120, ...MINUTE },
  /** Per guest: booking links. */
  handoff: { name: 'handoff', limit: 20, ...MINUTE },
  /** The same bucket during a campaign. */
  handoffInCampaign: { name: 'handoff', limit: 15, ...MINUTE },
  /** Per address: all requests of all its guests. */
  address: { name: 'address', limit: 12_000, burst: 1_600, ...MINUTE },
  /** Per device: all requests of all its sessions. */
  device: { name: 'device', limit: 2_400, burst: 480, ...MINUTE },
  /**
   * Per fingerprint at all addresses together: a program that changes its address with every
   * request (C9). Widest of all: guests with the same phone and language share a fingerprint.
   */
  fingerprint: { name: 'fingerprint', limit: 30_000, burst: 4_000, ...MINUTE },
  /** Per device: new sessions. Beyond it pages are served without a session. */
  newSessionDevice: { name: 'new-session-device', limit: 120, ...MINUTE },
  /**
   * New sessions per IPv4 address or IPv6 /64, whatever the headers. Carriers put thousands of
   * subscribers behind one IPv4 address: 600 at once, then 50 a minute. An IPv6 /64 is one
   * subscriber, and has the same bound.
   */
  newSessionAddress: { name: 'new-session-address', limit: 3_000, burst: 600, ...HOUR },
  /** New sessions per IPv6 /48, which is a site with 65,536 networks of the kind above. */
  newSessionSite: { name: 'new-session-site', limit: 12_000, burst: 2_400, ...HOUR },
  /**
   * Per session, or without one per device: challenge tokens, each of which costs a call of Google.
   */
  challenge: { name: 'challenge', limit: 10, ...MINUTE },
  /** Per address: the same, because a client can change its device with any header. */
  challengeAtAddress: { name: 'challenge-address', limit: 120, ...MINUTE },
  /** Per address: reads of suspects whose token could not be verified (D22). */
  unproven: { name: 'unproven', limit: 60, ...MINUTE },
} as const satisfies Record<string, LimitPolicy>

export type LimitName = keyof typeof POLICIES

export type Limits = Readonly<Record<LimitName, Limiter>>

export type PolicyOverrides = Partial<Record<LimitName, LimitPolicy>>

export interface LimitOverrides {
  readonly policies?: PolicyOverrides
}

/** Without Redis these reject; all others continue with a limit per process (D22). */
const FAIL_CLOSED: ReadonlySet<LimitName> = new Set(['handoff', 'handoffInCampaign'])

export interface LimitDeps {
  readonly cacheRedis: Redis
  readonly keys: KeySpace
  readonly metrics: Metrics
}

export function createLimits(deps: LimitDeps, { policies }: LimitOverrides): Limits {
  const { cacheRedis: redis, keys, metrics } = deps
  const entries = Object.entries({ ...POLICIES, ...policies }).map(([name, policy]) => {
    const failure = FAIL_CLOSED.has(name as LimitName) ? 'closed' : 'open'
    const observer = limitMetrics(metrics, policy.name)
    return [name, createLimiter({ redis, keys, policy, failure, ...observer })] as const
  })
  return Object.fromEntries(entries) as Limits
}
