import { createLimiter, type Limiter, type LimitPolicy } from '@melmastoon/chassis/limits'
import type { Redis } from '@melmastoon/chassis/redis'
import { limitMetrics, type Metrics } from '@melmastoon/chassis/telemetry'

const MINUTE = { periodSeconds: 60 } as const
const HOUR = { periodSeconds: 3_600 } as const

/**
 * Who may ask how often. A guest is her session, or without one her address; a device is an address
 * and a fingerprint together, because browsers of one kind share a fingerprint all over the world.
 * Whole neighbourhoods share an address here, so an address alone is given much. The wide ones have
 * small bursts: a handful is a share of the burst, and what is not spent of it is lost.
 */
const POLICIES = {
  /** Per guest: whatever changes nothing, also when it is asked by POST. */
  read: { name: 'read', limit: 1_200, ...MINUTE },
  /** Per guest: whatever changes something of her own. */
  change: { name: 'change', limit: 120, ...MINUTE },
  /** Per guest: links into a booking. */
  handoff: { name: 'handoff', limit: 20, ...MINUTE },
  /** The same while a campaign is on, out of the same bucket. */
  handoffInCampaign: { name: 'handoff', limit: 15, ...MINUTE },
  /** Per address, whatever is asked, by however many guests. */
  address: { name: 'address', limit: 12_000, burst: 1_600, ...MINUTE },
  /** Per device, whatever is asked, under however many sessions. */
  fingerprint: { name: 'fingerprint', limit: 2_400, burst: 480, ...MINUTE },
  /** Per device: new sessions. Beyond it pages are answered without one. */
  mint: { name: 'mint', limit: 120, ...MINUTE },
  /**
   * New sessions per IPv4 address or IPv6 /64, whatever the headers. Carriers put thousands of
   * subscribers behind one IPv4 address: 600 at once, then 50 a minute. An IPv6 /64 is one
   * subscriber, and has the same bound.
   */
  newSessionAddress: { name: 'new-session-address', limit: 3_000, burst: 600, ...HOUR },
  /** New sessions per IPv6 /48, which is a site with 65,536 networks of the kind above. */
  newSessionSite: { name: 'new-session-site', limit: 12_000, burst: 2_400, ...HOUR },
  /**
   * Per session, or without one per device: answers to challenges, each of which costs a call of
   * somebody else's service.
   */
  challenge: { name: 'challenge', limit: 10, ...MINUTE },
  /** Per address: the same, because another header makes another device. */
  challengeAtAddress: { name: 'challenge-address', limit: 120, ...MINUTE },
  /** Per address: suspects who tried to answer while nobody could check it (D22). */
  unproven: { name: 'unproven', limit: 60, ...MINUTE },
} as const satisfies Record<string, LimitPolicy>

export type LimitName = keyof typeof POLICIES

export type Limits = Readonly<Record<LimitName, Limiter>>

export type PolicyOverrides = Partial<Record<LimitName, LimitPolicy>>

export interface LimitOverrides {
  readonly policies?: PolicyOverrides
}

/** Without Redis these refuse, all others go on with a limit per process (D22). */
const FAIL_CLOSED: ReadonlySet<LimitName> = new Set(['handoff', 'handoffInCampaign'])

export function createLimits(redis: Redis, metrics: Metrics, { policies }: LimitOverrides): Limits {
  const entries = Object.entries({ ...POLICIES, ...policies }).map(([name, policy]) => {
    const failure = FAIL_CLOSED.has(name as LimitName) ? 'closed' : 'open'
    const noted = limitMetrics(metrics, policy.name)
    return [name, createLimiter({ redis, policy, failure, ...noted })] as const
  })
  return Object.fromEntries(entries) as Limits
}
