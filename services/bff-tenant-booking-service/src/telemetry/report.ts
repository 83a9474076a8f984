import type { BackgroundWork, PerGuestQueue, RecentKeys } from '@melmastoon/chassis/concurrency'
import type { TelemetryBatcher } from '@melmastoon/chassis/outbox'
import type { CounterMetric, ErrorReporter } from '@melmastoon/chassis/telemetry'
import { type IsoDateTime, toIsoDateTime } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { Static } from 'typebox'
import type { OPERATIONAL_EVENTS, RECORDED_EVENTS, registry } from '../events/registry.ts'
import { causeOf, consents, type TelemetryActor } from './telemetry-actor.ts'

/** Events that need consent and may be sampled; the others are records (`record.ts`). */
type Operational = (typeof OPERATIONAL_EVENTS)[number]
type Recorded = (typeof RECORDED_EVENTS)[number]

export interface ReportDeps {
  readonly registry: Pick<typeof registry, 'build' | 'sampled' | 'sampleRate'>
  readonly flags: { sampleRates(): Readonly<Record<string, number>> }
  readonly telemetry: Pick<TelemetryBatcher, 'add'>
  readonly guestQueue: Pick<PerGuestQueue, 'runNowOrQueue'>
  readonly measures: Readonly<
    Record<'telemetryEvents' | 'telemetryRefused', CounterMetric<'subject'>>
  >
  readonly errors: ErrorReporter
}

export interface Report<D extends Operational | Recorded> extends TelemetryActor {
  /** Made only when the event is published; `at` is when it happened. */
  readonly payload: (at: IsoDateTime) => Static<D['payload']>
}

/**
 * The one function that all operational telemetry passes: consent first, then the sample, which is
 * one decision per session (T14). No response waits for it. An event that violates its schema is a
 * bug: it is dropped and counted.
 */
export function report<D extends Operational>(
  deps: ReportDeps,
  definition: D,
  details: Report<D>,
): void {
  const event = buildReport(deps, definition, details)
  if (event === null) return
  deps.guestQueue.runNowOrQueue(details.session.id, () => void deps.telemetry.add(event))
}

/** The event for a statement of the caller; null when it is not to be published. */
export function buildReport<D extends Operational>(
  deps: ReportDeps,
  { subject }: D,
  details: Report<D>,
): OutboxEvent | null {
  const { registry, flags, measures, errors } = deps
  const rates = flags.sampleRates()
  if (!consents(details) || !registry.sampled(subject, rates, details.session.id)) return null
  try {
    const cause = { ...causeOf(details), samplingRate: registry.sampleRate(subject, rates) }
    const payload = details.payload(toIsoDateTime(cause.occurredAt))
    const event = registry.build(subject, payload, cause)
    measures.telemetryEvents.inc({ subject })
    return event
  } catch (error) {
    measures.telemetryRefused.inc({ subject })
    errors.report('telemetry', error)
    return null
  }
}

export interface DebounceDeps {
  readonly background: Pick<BackgroundWork, 'run'>
  readonly recentKeys: Pick<RecentKeys, 'claimOnce' | 'isClaimed'>
}

/** At most once per key in the event's `debounceSeconds`, over all processes. */
export function reportOnce<D extends Operational>(
  deps: ReportDeps & DebounceDeps,
  definition: D,
  { key, ...details }: Report<D> & { readonly key: string },
): void {
  // Without consent no key is claimed: consent given later applies to the next event.
  if (!consents(details)) return
  const claim = `${definition.subject} ${key}`
  if (deps.recentKeys.isClaimed(claim)) return
  deps.background.run(claim, async () => {
    const seconds = definition.debounceSeconds ?? 0
    if (await deps.recentKeys.claimOnce(claim, seconds)) report(deps, definition, details)
  })
}
