import { systemClock } from '@melmastoon/chassis/clock'
import type { RequestId } from '@melmastoon/domain'
import type { EventContext, EventMessage } from '@melmastoon/events'
import type { ModuleHost } from '../module.ts'

/** The cause of events that result from another event. */
export function causeOfEvent(
  { config }: Pick<ModuleHost, 'config'>,
  { envelope }: EventMessage,
): EventContext {
  return {
    producerInstance: config.instance,
    tenantId: envelope.tenantId,
    requestId: envelope.requestId as RequestId,
    traceparent: envelope.traceId,
    occurredAt: systemClock.now(),
    causationId: envelope.eventId,
    correlationId: envelope.correlationId,
  }
}
