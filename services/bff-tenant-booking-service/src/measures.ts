import type { CounterMetric, GaugeMetric, Metrics } from '@melmastoon/chassis/telemetry'

/** Metrics of this service only. */
export interface Measures {
  readonly sections: CounterMetric<'section' | 'status'>
  readonly refusedRates: CounterMetric<'reason'>
  readonly blockedTenants: GaugeMetric
  readonly backgroundDropped: CounterMetric
  readonly handoffConsumes: CounterMetric<'outcome'>
  readonly telemetryEvents: CounterMetric<'subject'>
  readonly telemetryRefused: CounterMetric<'subject'>
}

export function createMeasures(metrics: Metrics): Measures {
  return {
    sections: metrics.counter({
      name: 'page_sections_total',
      help: 'Sections of composed responses by status',
      labels: ['section', 'status'],
    }),
    refusedRates: metrics.counter({
      name: 'rates_refused_total',
      help: 'Prices that matched their schema and were rejected as implausible, by reason',
      labels: ['reason'],
    }),
    blockedTenants: metrics.gauge({
      name: 'blocked_tenants',
      help: 'Suspended tenants whose sites are unavailable',
    }),
    backgroundDropped: metrics.counter({
      name: 'background_dropped_total',
      help: 'Background tasks that were not started because too many were running',
    }),
    handoffConsumes: metrics.counter({
      name: 'handoff_consume_total',
      help: 'Arrivals with a handoff by outcome',
      labels: ['outcome'],
    }),
    telemetryEvents: metrics.counter({
      name: 'telemetry_events_total',
      help: 'Telemetry events that were added to the outbox',
      labels: ['subject'],
    }),
    telemetryRefused: metrics.counter({
      name: 'telemetry_refused_total',
      help: 'Telemetry events that were dropped because they did not match their schema',
      labels: ['subject'],
    }),
  }
}
