import type { Queryable } from '@melmastoon/chassis/db'
import { appendEvents, type TelemetryBatcher } from '@melmastoon/chassis/outbox'
import { toIsoDateTime } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { RECORDED_EVENTS, registry } from '../events/registry.ts'
import type { DebounceDeps, Report, ReportDeps } from './report.ts'
import { causeOf } from './telemetry-actor.ts'

/** Audit and regulated events: legal records, which need no consent and are never sampled (D13). */
type Recorded = (typeof RECORDED_EVENTS)[number]

export interface RecordDeps {
  readonly registry: Pick<typeof registry, 'build'>
}

/**
 * The record of what a guest did, to be written in the same statement as its effect. Throws when it
 * violates its schema: an effect without its record must not be committed.
 */
function buildRecord<D extends Recorded>(
  { registry }: RecordDeps,
  { subject }: D,
  details: Report<D>,
): OutboxEvent {
  const cause = causeOf(details)
  return registry.build(subject, details.payload(toIsoDateTime(cause.occurredAt)), cause)
}

export interface RecordOnceDeps extends RecordDeps, DebounceDeps {
  readonly db: Queryable
  readonly telemetry: Pick<TelemetryBatcher, 'add'>
  readonly errors: ReportDeps['errors']
}

/**
 * A record without an effect of its own, once per key in the event's `debounceSeconds`. While
 * Postgres is unavailable it waits in this process.
 */
export function recordOnce<D extends Recorded>(
  deps: RecordOnceDeps,
  definition: D,
  { key, ...details }: Report<D> & { readonly key: string },
): void {
  const claim = `${definition.subject} ${key}`
  const event = buildRecord(deps, definition, details)
  deps.background.run(claim, async () => {
    const seconds = definition.debounceSeconds ?? 0
    if (!(await deps.recentKeys.claimOnce(claim, seconds))) return
    try {
      await appendEvents(deps.db, [event])
    } catch (error) {
      deps.errors.report('telemetry', error)
      deps.telemetry.add(event)
    }
  })
}
