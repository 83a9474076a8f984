import type { Metrics } from '@melmastoon/chassis/telemetry'
import type { Channel } from './channels.ts'

export type StreamMetrics = ReturnType<typeof streamMetrics>

/** With the target of 200 ms as a boundary. */
const FIRST_EVENT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5]

/** @param count of the open streams */
export function streamMetrics(metrics: Metrics, count: () => number) {
  metrics.gauge({
    name: 'sse_active_connections',
    help: 'Open event streams of devices',
    collect: (gauge) => gauge.set({}, count()),
  })
  const pushed = metrics.counter({
    name: 'sse_events_pushed_total',
    help: 'Events written to streams, by channel',
    labels: ['channel'],
  })
  const firstEvent = metrics.histogram({
    name: 'sse_first_event_seconds',
    help: 'From the authenticated request for a stream until its first event is written',
    buckets: FIRST_EVENT_BUCKETS,
  })
  return {
    onPushed: (channel: Channel, events: number) => pushed.inc({ channel }, events),
    onFirstEvent: (ms: number) => firstEvent.observe({}, ms / 1_000),
  }
}
