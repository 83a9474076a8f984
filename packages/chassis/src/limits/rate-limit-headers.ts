import type { LimitDecision, LimitPolicy } from './limit-policy.ts'
import { burstOf } from './limit-policy.ts'

/** draft-ietf-httpapi-ratelimit-headers: structured fields, and Retry-After for the same moment. */
export function rateLimitHeaders(decision: LimitDecision): Record<string, string> {
  const { policy } = decision
  const headers: Record<string, string> = {
    'ratelimit-policy': policyText(policy),
    ratelimit: `"${policy.name}";r=${decision.remaining};t=${decision.resetSeconds}`,
  }
  if (!decision.allowed) headers['retry-after'] = String(decision.retryAfterSeconds)
  return headers
}

const policyTexts = new WeakMap<LimitPolicy, string>()

function policyText(policy: LimitPolicy): string {
  const known = policyTexts.get(policy)
  if (known !== undefined) return known
  const text = `"${policy.name}";q=${burstOf(policy)};w=${policy.periodSeconds}`
  policyTexts.set(policy, text)
  return text
}
