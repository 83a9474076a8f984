import type { Metrics } from '@melmastoon/chassis/telemetry'

export type DashboardMetrics = ReturnType<typeof dashboardMetrics>

/** With the target of 200 ms as a boundary. */
const FIRST_BYTE_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5]

export function dashboardMetrics(metrics: Metrics) {
  const firstByte = metrics.histogram({
    name: 'dashboard_first_byte_seconds',
    help: 'From the request for a streamed dashboard until its first line is sent',
    buckets: FIRST_BYTE_BUCKETS,
  })
  const partial = metrics.counter({
    name: 'dashboard_partial_total',
    help: 'Dashboards in which a widget that the role sees has no data',
  })
  return {
    onFirstByte: (ms: number) => firstByte.observe({}, ms / 1_000),
    onPartial: () => partial.inc({}),
  }
}
