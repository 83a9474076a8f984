import type { Clock } from '@melmastoon/chassis/clock'
import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import type { Queryable } from '@melmastoon/chassis/db'
import { appendEvents, type TelemetryBatcher } from '@melmastoon/chassis/outbox'
import {
  type ErrorReporter,
  renderTraceparent,
  type TraceContext,
} from '@melmastoon/chassis/telemetry'
import { isId, newId, type RequestId } from '@melmastoon/domain'
import type { EventMessage, OutboxEvent } from '@melmastoon/events'
import type { registry } from '../events/registry.ts'
import { sessionClosed, sessionOpened } from '../events/session-events.ts'
import type { TokenClaims } from './access-token.ts'
import type { SessionRecord } from './session-records.ts'

export interface SessionEventDeps {
  readonly registry: Pick<typeof registry, 'build'>
  readonly config: { readonly instance: string }
  readonly clock: Clock
}

export interface ReportOpenedDeps extends SessionEventDeps {
  readonly db: Queryable
  readonly background: Pick<BackgroundWork, 'run'>
  readonly telemetry: Pick<TelemetryBatcher, 'add'>
  readonly errors: Pick<ErrorReporter, 'report'>
}

/** No response waits for it. While Postgres is unavailable it waits in this process. */
export function reportOpened(
  deps: ReportOpenedDeps,
  session: SessionRecord,
  { claims, trace }: { readonly claims: TokenClaims; readonly trace: TraceContext },
): void {
  const { sessionId, operatorId, deviceId } = session
  const payload = { sessionId, operatorId, deviceId, roles: [...claims.roles] }
  const event = deps.registry.build(sessionOpened.subject, payload, {
    ...contextOf(deps, session),
    requestId: requestIdOf(trace),
    traceparent: renderTraceparent(trace),
  })
  deps.background.run(`opened ${sessionId}`, () =>
    appendEvents(deps.db, [event]).catch((error: unknown) => {
      deps.errors.report('access', error)
      deps.telemetry.add(event)
    }),
  )
}

export function buildClosed(
  deps: SessionEventDeps,
  session: SessionRecord,
  { reasonCode, event }: { readonly reasonCode: string; readonly event: EventMessage },
): OutboxEvent {
  const { sessionId, operatorId, deviceId } = session
  const { eventId, requestId, traceId } = event.envelope
  const payload = { sessionId, operatorId, deviceId, reasonCode }
  return deps.registry.build(sessionClosed.subject, payload, {
    ...contextOf(deps, session),
    requestId: requestId as RequestId,
    traceparent: traceId,
    causationId: eventId,
  })
}

function requestIdOf({ requestId }: TraceContext): RequestId {
  return isId('req', requestId) ? requestId : newId('req')
}

function contextOf({ config, clock }: SessionEventDeps, session: SessionRecord) {
  const { tenantId, operatorId, deviceId, sessionId } = session
  return {
    producerInstance: config.instance,
    tenantId,
    occurredAt: clock.now(),
    sessionId,
    staff: { operatorId, deviceId },
  }
}
