import { createLimiter, type Limiter, type LimitPolicy } from '@melmastoon/chassis/limits'
import type { Redis } from '@melmastoon/chassis/redis'
import { limitMetrics, type Metrics } from '@melmastoon/chassis/telemetry'

const READS: LimitPolicy = { name: 'read', limit: 1_200, periodSeconds: 60 }
const WRITES: LimitPolicy = { name: 'write', limit: 120, periodSeconds: 60 }

export interface ExampleLimits {
  reads: Limiter
  writes: Limiter
}

/**
 * With Redis away both go on with a limit per process: a guest's write is safe in Postgres (D22).
 */
export function createExampleLimits(
  redis: Redis,
  metrics: Metrics,
  readPolicy = READS,
): ExampleLimits {
  const limit = (policy: LimitPolicy) =>
    createLimiter({ redis, policy, failure: 'open', ...limitMetrics(metrics, policy.name) })
  return { reads: limit(readPolicy), writes: limit(WRITES) }
}
