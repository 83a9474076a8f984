import { systemClock } from '@melmastoon/chassis/clock'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { newId, type RequestId } from '@melmastoon/domain'
import type { EventContext, EventMessage } from '@melmastoon/events'

/** The cause of events without a request: a response that was due, or an expiry. */
export function systemCause(producerInstance: string): EventContext {
  return {
    producerInstance,
    tenantId: null,
    requestId: newId('req'),
    traceparent: renderTraceparent(newTrace()),
    occurredAt: systemClock.now(),
  }
}

/** The cause of events that result from another event. */
export function causeOfEvent({ envelope }: EventMessage, producerInstance: string): EventContext {
  return {
    producerInstance,
    tenantId: envelope.tenantId,
    requestId: envelope.requestId as RequestId,
    traceparent: envelope.traceId,
    occurredAt: systemClock.now(),
    causationId: envelope.eventId,
    correlationId: envelope.correlationId,
  }
}
