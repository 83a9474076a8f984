import { type IsoDateTime, toIsoDateTime } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import type { Static } from 'typebox'
import type { ConsumerContext } from '../context.ts'
import type { registry } from '../events/registry.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import type { Visit } from '../sessions/visit.ts'
import { guestCause } from './guest-cause.ts'
import { mayEmit } from './may-emit.ts'

type Definition = (typeof registry)['definitions'][number]

/** Who did it, and how she did it. */
export interface Witnessed {
  readonly session: GuestSession
  readonly visit: Visit
  /** Made only when there is something to report. */
  readonly cause: () => EventContext
}

export interface Report<D extends Definition> extends Witnessed {
  /** Made only when there is something to report; `at` is when it happened. */
  readonly payload: (at: IsoDateTime) => Static<D['payload']>
}

/**
 * Tells what a guest did, if she consents and the dice fall so (C8). It costs nobody an answer, and
 * comes after what the same guest did before in this process.
 */
export function report<D extends Definition>(
  ctx: ConsumerContext,
  definition: D,
  told: Report<D>,
): void {
  const event = buildReport(ctx, definition, told)
  if (event !== null)
    ctx.guestQueue.runNowOrQueue(told.session.id, () => void ctx.telemetry.add(event))
}

/** For work that has the guest's lane already: behind its own end it would come too late. */
export function reportNow<D extends Definition>(
  ctx: ConsumerContext,
  definition: D,
  told: Report<D>,
): void {
  const event = buildReport(ctx, definition, told)
  if (event !== null) ctx.telemetry.add(event)
}

/**
 * The event for a transaction of the caller's own (`appendEvents`); null when nothing is to be
 * told. One that breaks its contract is our mistake: it is dropped and counted.
 */
export function buildReport<D extends Definition>(
  ctx: ConsumerContext,
  { subject }: D,
  told: Report<D>,
): OutboxEvent | null {
  if (!mayEmit(ctx, subject, told)) return null
  try {
    const cause = guestCause(ctx, subject, { cause: told.cause(), session: told.session })
    const payload = told.payload(toIsoDateTime(cause.occurredAt))
    const event = ctx.registry.build(subject, payload, cause)
    ctx.measures.telemetryEvents.inc({ subject })
    return event
  } catch (error) {
    ctx.measures.telemetryRefused.inc({ subject })
    ctx.errors.report('telemetry', error)
    return null
  }
}
