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
      help: 'Assessments of visitors by verdict: human, suspect, bot',
      labels: ['verdict'],
    }),
    botChallenges: metrics.counter({
      name: 'bot_challenges_total',
      help: 'Requests of suspected bots by outcome of the challenge: asked, passed, failed, unavailable',
      labels: ['outcome'],
    }),
    botPenalties: metrics.counter({
      name: 'bot_penalties_total',
      help: 'Penalties of one hour for a fingerprint, by reason',
      labels: ['reason'],
    }),
    botScoresDropped: metrics.counter({
      name: 'bot_scores_dropped_total',
      help: 'Bot scores that were not stored',
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
