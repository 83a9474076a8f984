import { createLimiter, type Limiter, type LimitPolicy } from '@melmastoon/chassis/limits'
import type { Redis } from '@melmastoon/chassis/redis'
import { limitMetrics, type Metrics } from '@melmastoon/chassis/telemetry'

/** Whole neighbourhoods share an address here, so those without a session are not held shorter. */
const READS: LimitPolicy = { name: 'read', limit: 1_200, periodSeconds: 60 }

/** With Redis away reading goes on with a limit per process (D22). */
export function createReadLimit(redis: Redis, metrics: Metrics, policy = READS): Limiter {
  return createLimiter({ redis, policy, failure: 'open', ...limitMetrics(metrics, policy.name) })
}
