import type { CounterMetric, GaugeMetric, Metrics } from '@melmastoon/chassis/telemetry'

/** What only this service counts. */
export interface Measures {
  readonly sections: CounterMetric<'section' | 'status'>
  readonly refusedRates: CounterMetric<'reason'>
  readonly blockedTenants: GaugeMetric
  readonly backgroundDropped: CounterMetric
  readonly botVerdicts: CounterMetric<'verdict'>
  readonly botChallenges: CounterMetric<'outcome'>
  readonly botPenalties: CounterMetric<'reason'>
  readonly botScoresDropped: CounterMetric
  readonly handoffMints: CounterMetric<'outcome'>
  readonly handoffConsumes: CounterMetric<'outcome'>
  readonly telemetryEvents: CounterMetric<'subject'>
  readonly telemetryRefused: CounterMetric<'subject'>
}

export function createMeasures(metrics: Metrics): Measures {
  return {
    sections: metrics.counter({
      name: 'page_sections_total',
      help: 'Sections of composed pages by what became of them',
      labels: ['section', 'status'],
    }),
    refusedRates: metrics.counter({
      name: 'rates_refused_total',
      help: 'Prices that kept their contract and could not be prices',
      labels: ['reason'],
    }),
    blockedTenants: metrics.gauge({
      name: 'blocked_tenants',
      help: 'Suspended tenants that are kept out of results',
    }),
    handoffMints: metrics.counter({
      name: 'handoff_mint_total',
      help: 'Handoffs asked for, by what became of it',
      labels: ['outcome'],
    }),
    handoffConsumes: metrics.counter({
      name: 'handoff_consume_total',
      help: 'Handoffs presented at a hotel, by what became of it',
      labels: ['outcome'],
    }),
    backgroundDropped: metrics.counter({
      name: 'background_dropped_total',
      help: 'Work behind an answer that was not begun because too much of it was running',
    }),
    botVerdicts: metrics.counter({
      name: 'bot_verdicts_total',
      help: 'Looks at guests by what they were taken for',
      labels: ['verdict'],
    }),
    botChallenges: metrics.counter({
      name: 'bot_challenges_total',
      help: 'Requests of suspects by what became of them: asked, passed, failed, unavailable',
      labels: ['outcome'],
    }),
    botPenalties: metrics.counter({
      name: 'bot_penalties_total',
      help: 'Fingerprints that are trusted less for an hour',
      labels: ['reason'],
    }),
    botScoresDropped: metrics.counter({
      name: 'bot_scores_dropped_total',
      help: 'Verdicts that could not be written down',
    }),
    telemetryEvents: metrics.counter({
      name: 'telemetry_events_total',
      help: 'Events about guests that were handed to the outbox',
      labels: ['subject'],
    }),
    telemetryRefused: metrics.counter({
      name: 'telemetry_refused_total',
      help: 'Events about guests that broke their contract and were given up',
      labels: ['subject'],
    }),
  }
}
