import { type LimitDecision, type Limiter, rateLimitHeaders } from '@melmastoon/chassis/limits'
import { type Problem, problem } from '@melmastoon/domain'
import type { Standing } from '../bots/standing.ts'
import type { ConsumerContext } from '../context.ts'

/** What a request counts as. */
export type Traffic = 'read' | 'change' | 'handoff'

type Parts = Pick<ConsumerContext, 'limits' | 'flags' | 'background'>

/** Decides without waiting when this process knows the answer already; null when it does not. */
export function limitNow(parts: Parts, standing: Standing, traffic: Traffic): LimitDecision | null {
  const own = limiterOf(parts, traffic).takeNow(ownKeyOf(standing))
  return own === null ? null : withShared(parts, standing, own)
}

export async function limitVisit(
  parts: Parts,
  standing: Standing,
  traffic: Traffic,
): Promise<LimitDecision> {
  const own = await limiterOf(parts, traffic).take(ownKeyOf(standing))
  return withShared(parts, standing, own)
}

/** Undefined for whoever may go on. */
export function limitRefusal(decision: LimitDecision): Problem | undefined {
  if (decision.allowed) return undefined
  const { retryAfterSeconds } = decision
  const headers = rateLimitHeaders(decision)
  return problem('MELMASTOON.GENERAL.RATE_LIMITED', { retryAfterSeconds, headers })
}

function limiterOf({ limits, flags }: Parts, traffic: Traffic): Limiter {
  return traffic === 'handoff' && flags.isCampaign() ? limits.handoffInCampaign : limits[traffic]
}

function ownKeyOf({ sessionId, addressHash }: Standing): string {
  return sessionId ?? addressHash
}

/** Whichever of the three is nearest to its end speaks for all. */
function withShared(parts: Parts, standing: Standing, own: LimitDecision): LimitDecision {
  if (!own.allowed) return own
  const { limits } = parts
  const address = takeShared(parts, limits.address, standing.addressHash)
  const fingerprint = takeShared(parts, limits.fingerprint, standing.deviceHash)
  return tighter(tighter(own, address), fingerprint)
}

/**
 * Wide limits that hardly anybody meets: nobody waits for them. What this process does not know it
 * asks behind the answer, so a few requests may slip through until it does.
 */
function takeShared(
  { background }: Parts,
  limiter: Limiter,
  key: string,
): LimitDecision | undefined {
  const known = limiter.takeNow(key)
  if (known !== null) return known
  background.run(`limit ${limiter.policy.name} ${key}`, () => limiter.take(key))
  return undefined
}

function tighter(one: LimitDecision, other: LimitDecision | undefined): LimitDecision {
  if (other === undefined || !one.allowed) return one
  if (!other.allowed) return other
  return shareLeft(other) < shareLeft(one) ? other : one
}

function shareLeft({ remaining, policy }: LimitDecision): number {
  return remaining / (policy.burst ?? policy.limit)
}
