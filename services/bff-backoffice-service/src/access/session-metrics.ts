import type { Metrics } from '@melmastoon/chassis/telemetry'

export type SessionMetrics = ReturnType<typeof sessionMetrics>

/** With the target of five seconds as a boundary. */
const FORCED_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30]

export function sessionMetrics(metrics: Metrics) {
  const forced = metrics.histogram({
    name: 'force_logout_seconds',
    help: 'From the revocation of a session at iam until every process rejects its requests',
    buckets: FORCED_BUCKETS,
  })
  return { onForcedLogout: (ms: number) => forced.observe({}, Math.max(0, ms) / 1_000) }
}
