import { type Problem, problem } from '@melmastoon/domain'
import { burstOf, type LimitDecision } from './limit-policy.ts'
import type { Limiter } from './limiter.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'

/** A limiter and the key that it counts this request by: a session, an address, a device. */
export interface AppliedLimit {
  readonly limiter: Limiter
  readonly key: string
}

/** The limits that apply to one request. */
export interface RequestLimits {
  /** The client's own limit: the request waits for its decision. */
  readonly own: AppliedLimit
  readonly shared?: SharedLimits
}

/**
 * Wide limits that few clients reach. No request waits for them: if this process does not know the
 * state, it reads it in the background, and a few requests may exceed the limit until then.
 */
export interface SharedLimits {
  readonly limits: readonly AppliedLimit[]
  /** Runs work after the response, once at a time for each name. */
  readonly runInBackground: (name: string, work: () => Promise<unknown>) => void
}

/** Decides synchronously; null when this process has to query Redis first. */
export function checkLimitsNow({ own, shared }: RequestLimits): LimitDecision | null {
  const decision = own.limiter.takeNow(own.key)
  return decision === null ? null : withShared(decision, shared)
}

export async function checkLimits({ own, shared }: RequestLimits): Promise<LimitDecision> {
  return withShared(await own.limiter.take(own.key), shared)
}

/** The response to a request beyond a limit; undefined when it is allowed. */
export function limitProblem(decision: LimitDecision): Problem | undefined {
  if (decision.allowed) return undefined
  const { retryAfterSeconds } = decision
  const headers = rateLimitHeaders(decision)
  return problem('MELMASTOON.GENERAL.RATE_LIMITED', { retryAfterSeconds, headers })
}

/** The decision of the limit with the smallest share left, or of the first that rejects. */
function withShared(own: LimitDecision, shared: SharedLimits | undefined): LimitDecision {
  if (shared === undefined) return own
  let tightest = own
  for (const limit of shared.limits) {
    if (!tightest.allowed) return tightest
    const decision = takeShared(limit, shared)
    if (decision !== null) tightest = tighter(tightest, decision)
  }
  return tightest
}

function takeShared(
  { limiter, key }: AppliedLimit,
  { runInBackground }: SharedLimits,
): LimitDecision | null {
  const known = limiter.takeNow(key)
  if (known === null) {
    runInBackground(`limit ${limiter.policy.name} ${key}`, () => limiter.take(key))
  }
  return known
}

function tighter(one: LimitDecision, other: LimitDecision): LimitDecision {
  if (!other.allowed) return other
  return shareLeft(other) < shareLeft(one) ? other : one
}

function shareLeft({ remaining, policy }: LimitDecision): number {
  return remaining / burstOf(policy)
}
