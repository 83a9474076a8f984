import type { CampaignAttribution } from '@melmastoon/bff/guests'
import type { PerGuestQueue } from '@melmastoon/chassis/concurrency'
import type { TelemetryBatcher } from '@melmastoon/chassis/outbox'
import type { CounterMetric, ErrorReporter } from '@melmastoon/chassis/telemetry'
import { type IsoDateTime, toIsoDateTime } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import type { Static } from 'typebox'
import type { registry } from '../events/registry.ts'
import { consents, type GuestActor } from '../sessions/guest-actor.ts'

type Definition = (typeof registry)['definitions'][number]
type Subject = Definition['subject']

export interface ReportDeps {
  readonly registry: Pick<typeof registry, 'build' | 'sampled' | 'sampleRate'>
  readonly flags: { sampleRates(): Readonly<Record<string, number>> }
  readonly telemetry: Pick<TelemetryBatcher, 'add'>
  readonly guestQueue: Pick<PerGuestQueue, 'run' | 'runNowOrQueue'>
  readonly measures: Readonly<
    Record<'telemetryEvents' | 'telemetryRefused', CounterMetric<'subject'>>
  >
  readonly errors: ErrorReporter
}

export interface Report<D extends Definition> extends GuestActor {
  /** Made only when there is something to report; `at` is when it happened. */
  readonly payload: (at: IsoDateTime) => Static<D['payload']>
}

/**
 * Publishes what a guest did, with consent and by the sample rate (C8). No response waits for it,
 * and it follows what the same guest did before in this process.
 */
export function report<D extends Definition>(deps: ReportDeps, definition: D, details: Report<D>) {
  const event = buildReport(deps, definition, details)
  if (event === null) return
  deps.guestQueue.runNowOrQueue(details.session.id, () => void deps.telemetry.add(event))
}

/** For work that runs in the guest's queue already: queued again it would be late. */
export function reportNow<D extends Definition>(
  deps: ReportDeps,
  definition: D,
  details: Report<D>,
) {
  const event = buildReport(deps, definition, details)
  if (event !== null) deps.telemetry.add(event)
}

/**
 * The event for a transaction of the caller (`appendEvents`); null when nothing is to be published.
 * An event that violates its schema is a bug: it is dropped and counted.
 */
export function buildReport<D extends Definition>(
  deps: ReportDeps,
  { subject }: D,
  details: Report<D>,
): OutboxEvent | null {
  if (!mayEmit(deps, subject, details)) return null
  try {
    const cause = guestCause(deps, subject, details)
    const event = deps.registry.build(
      subject,
      details.payload(toIsoDateTime(cause.occurredAt)),
      cause,
    )
    deps.measures.telemetryEvents.inc({ subject })
    return event
  } catch (error) {
    deps.measures.telemetryRefused.inc({ subject })
    deps.errors.report('telemetry', error)
    return null
  }
}

/** Consent first; then the sample, which is one decision per guest. */
export function mayEmit(
  { registry, flags }: Pick<ReportDeps, 'registry' | 'flags'>,
  subject: Subject,
  actor: Pick<GuestActor, 'session' | 'client'>,
): boolean {
  return consents(actor) && registry.sampled(subject, flags.sampleRates(), actor.session.id)
}

/** The cause of an event, with the session and the campaign that brought the guest. */
function guestCause(
  { registry, flags }: ReportDeps,
  subject: Subject,
  { cause, session }: GuestActor,
): EventContext {
  const { campaignAttribution } = session.data
  return {
    ...cause(),
    sessionId: session.id,
    samplingRate: registry.sampleRate(subject, flags.sampleRates()),
    marketingAttribution: campaignAttribution === undefined ? null : named(campaignAttribution),
  }
}

function named({ capturedAt: _unpublished, ...names }: CampaignAttribution) {
  return names
}
