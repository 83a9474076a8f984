import type { LimitDecision } from './limit-policy.ts'
import { burstOf } from './limit-policy.ts'

/** draft-ietf-httpapi-ratelimit-headers: structured fields, and Retry-After for the same moment. */
export function rateLimitHeaders(decision: LimitDecision): Record<string, string> {
  const { policy } = decision
  const headers: Record<string, string> = {
    'ratelimit-policy': `"${policy.name}";q=${burstOf(policy)};w=${policy.periodSeconds}`,
    ratelimit: `"${policy.name}";r=${decision.remaining};t=${decision.resetSeconds}`,
  }
  if (!decision.allowed) headers['retry-after'] = String(decision.retryAfterSeconds)
  return headers
}
