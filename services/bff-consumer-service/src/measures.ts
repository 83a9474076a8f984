import type { CounterMetric, GaugeMetric, Metrics } from '@melmastoon/chassis/telemetry'

/** Metrics of this service only. */
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
      help: 'Sections of composed pages by status',
      labels: ['section', 'status'],
    }),
    refusedRates: metrics.counter({
      name: 'rates_refused_total',
      help: 'Prices that matched their schema and were rejected as implausible, by reason',
      labels: ['reason'],
    }),
    blockedTenants: metrics.gauge({
      name: 'blocked_tenants',
      help: 'Suspended tenants that are excluded from results',
    }),
    handoffMints: metrics.counter({
      name: 'handoff_mint_total',
      help: 'Requests to mint a handoff, by outcome',
      labels: ['outcome'],
    }),
    handoffConsumes: metrics.counter({
      name: 'handoff_consume_total',
      help: 'Requests to consume a handoff, by outcome',
      labels: ['outcome'],
    }),
    backgroundDropped: metrics.counter({
      name: 'background_dropped_total',
      help: 'Background tasks that were not started because too many were running',
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
