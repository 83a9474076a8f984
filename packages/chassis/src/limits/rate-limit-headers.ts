import { burstOf, intervalMsOf, type LimitDecision, type LimitPolicy } from './limit-policy.ts'

/** draft-ietf-httpapi-ratelimit-headers: structured fields, and Retry-After for the same moment. */
export function rateLimitHeaders(decision: LimitDecision): Record<string, string> {
  const { policy, allowed, retryAfterSeconds } = decision
  const headers: Record<string, string> = {
    'ratelimit-policy': policyText(policy),
    ratelimit: stateText(decision),
  }
  if (!allowed) headers['retry-after'] = String(retryAfterSeconds)
  return headers
}

/** Those of an allowed request, to a list of names and values. */
export function addRateLimitHeaders(head: string[], decision: LimitDecision): void {
  head.push('ratelimit-policy', policyText(decision.policy), 'ratelimit', stateText(decision))
}

function stateText(decision: LimitDecision): string {
  const { policy, allowed, remaining, resetSeconds, retryAfterSeconds } = decision
  return `"${policy.name}";r=${remaining};t=${allowed ? resetSeconds : retryAfterSeconds}`
}

const policyTexts = new WeakMap<LimitPolicy, string>()

function policyText(policy: LimitPolicy): string {
  const known = policyTexts.get(policy)
  if (known !== undefined) return known
  // The quota is the burst, and its window the time in which the burst is fully restored.
  const windowSeconds = Math.ceil((burstOf(policy) * intervalMsOf(policy)) / 1_000)
  const text = `"${policy.name}";q=${burstOf(policy)};w=${windowSeconds}`
  policyTexts.set(policy, text)
  return text
}
