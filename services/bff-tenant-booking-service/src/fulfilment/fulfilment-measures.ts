import type { CounterMetric, GaugeMetric, Metrics } from '@melmastoon/chassis/telemetry'

/** The metrics of drafts, payments and their fulfilment, which the alerts use. */
export interface FulfilmentMeasures {
  readonly claims: CounterMetric<'trigger'>
  readonly steps: CounterMetric<'step'>
  readonly settled: CounterMetric<'trigger' | 'outcome'>
  readonly fenceLost: CounterMetric
  readonly keyReused: CounterMetric
  readonly refunds: CounterMetric<'reason'>
  readonly refundFailed: CounterMetric
  readonly surplusIntents: CounterMetric
  readonly invariantViolations: CounterMetric<'id'>
  readonly webhooks: CounterMetric<'outcome'>
  readonly paymentReturns: CounterMetric<'outcome'>
  readonly dueLagSeconds: GaugeMetric
  readonly triesMax: GaugeMetric
  readonly capturedUnsettledOldestSeconds: GaugeMetric
  readonly activeDrafts: GaugeMetric
  readonly draftOverdueOldestSeconds: GaugeMetric
}

/** Reported from the start: an alert on the increase of a new series would miss its first value. */
const CHECKED_INVARIANTS = ['F1', 'F2', 'F3', 'F4', 'F5']

export function createFulfilmentMeasures(metrics: Metrics): FulfilmentMeasures {
  const measures = defineMeasures(metrics)
  for (const id of CHECKED_INVARIANTS) measures.invariantViolations.inc({ id }, 0)
  return measures
}

function defineMeasures(metrics: Metrics): FulfilmentMeasures {
  const counter = <L extends string = never>(name: string, help: string, labels?: readonly L[]) =>
    metrics.counter<L>({ name, help, ...(labels && { labels }) })
  return {
    claims: counter('fulfilment_claims_total', 'Claims of fulfilment records by trigger', [
      'trigger',
    ]),
    steps: counter('fulfilment_steps_total', 'Steps of fulfilments by kind', ['step']),
    settled: counter('fulfilment_settled_total', 'Settled fulfilments by trigger and outcome', [
      'trigger',
      'outcome',
    ]),
    fenceLost: counter('fence_lost_total', 'Claims that were overtaken by a later one'),
    keyReused: counter('key_reused_total', 'Upstream calls rejected because a key was reused'),
    refunds: counter('refund_total', 'Refunds by reason', ['reason']),
    refundFailed: counter('refund_failed_total', 'Refunds that the provider rejected'),
    surplusIntents: counter('surplus_intents_total', 'Payments returned besides the one that paid'),
    invariantViolations: counter(
      'invariant_violations_total',
      'Differences between record, payment and reservation',
      ['id'],
    ),
    webhooks: counter('webhook_total', 'Payment webhooks by outcome', ['outcome']),
    paymentReturns: counter(
      'payment_return_total',
      'Guests who returned from a payment page, by the state of their booking',
      ['outcome'],
    ),
    dueLagSeconds: metrics.gauge({
      name: 'fulfilment_due_lag_seconds',
      help: 'How long the longest due fulfilment has been waiting',
    }),
    triesMax: metrics.gauge({
      name: 'fulfilment_tries_max',
      help: 'Most tries of an unsettled fulfilment without progress',
    }),
    capturedUnsettledOldestSeconds: metrics.gauge({
      name: 'captured_unsettled_oldest_seconds',
      help: 'Age of the oldest payment with money whose booking is not settled',
    }),
    activeDrafts: metrics.gauge({
      name: 'draft_active_count',
      help: 'Drafts that have not ended and are not being confirmed',
    }),
    draftOverdueOldestSeconds: metrics.gauge({
      name: 'draft_overdue_oldest_seconds',
      help: 'How long ago the oldest draft that was not ended should have been',
    }),
  }
}
