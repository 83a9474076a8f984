import { type Problem, problem } from '@melmastoon/domain'
import { burstOf, type LimitDecision } from './limit-policy.ts'
import type { HeldLimit, Limiter } from './limiter.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'

/** A limiter and the key that it counts this request by: a session, an address, a device. */
export interface AppliedLimit {
  readonly limiter: Limiter
  readonly key: string
  /** Where the same limits are checked repeatedly: see `holdLimits`. */
  readonly held?: HeldLimit
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
export function checkLimitsNow(
  { own, shared }: RequestLimits,
  nowMs?: number,
): LimitDecision | null {
  const decision = takeKnown(own, nowMs)
  return decision === null ? null : withShared(decision, shared, nowMs)
}

export async function checkLimits({ own, shared }: RequestLimits): Promise<LimitDecision> {
  return withShared(await own.limiter.take(own.key), shared)
}

/** For a client that sends many requests: finds the state of its limits once. */
export function holdLimits({ own, shared }: RequestLimits): RequestLimits {
  const hold = (limit: AppliedLimit) => ({ ...limit, held: limit.limiter.hold(limit.key) })
  if (shared === undefined) return { own: hold(own) }
  return { own: hold(own), shared: { ...shared, limits: shared.limits.map(hold) } }
}

function takeKnown({ limiter, key, held }: AppliedLimit, nowMs: number | undefined) {
  if (held === undefined || nowMs === undefined) return limiter.takeNow(key)
  return held.takeNow(nowMs)
}

/** The response to a request beyond a limit; undefined when it is allowed. */
export function limitProblem(decision: LimitDecision): Problem | undefined {
  if (decision.allowed) return undefined
  const { retryAfterSeconds } = decision
  const headers = rateLimitHeaders(decision)
  return problem('MELMASTOON.GENERAL.RATE_LIMITED', { retryAfterSeconds, headers })
}

/** The decision of the limit with the smallest share left, or of the first that rejects. */
function withShared(
  own: LimitDecision,
  shared: SharedLimits | undefined,
  nowMs?: number,
): LimitDecision {
  if (shared === undefined) return own
  let tightest = own
  for (const limit of shared.limits) {
    if (!tightest.allowed) return tightest
    const decision = takeShared(limit, shared, nowMs)
    if (decision !== null) tightest = tighter(tightest, decision)
  }
  return tightest
}

function takeShared(
  limit: AppliedLimit,
  { runInBackground }: SharedLimits,
  nowMs: number | undefined,
): LimitDecision | null {
  const { limiter, key } = limit
  const known = takeKnown(limit, nowMs)
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
