export {
  type AppliedLimit,
  checkLimits,
  checkLimitsNow,
  holdLimits,
  limitProblem,
  type RequestLimits,
} from './check-limits.ts'
export type { LimitDecision, LimitPolicy } from './limit-policy.ts'
export { createLimiter, type HeldLimit, type Limiter, type LimiterOptions } from './limiter.ts'
export { createLocalLimiter } from './local-limiter.ts'
export { addRateLimitHeaders, rateLimitHeaders } from './rate-limit-headers.ts'
