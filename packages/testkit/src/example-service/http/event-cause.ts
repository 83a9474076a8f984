import { systemClock } from '@melmastoon/chassis/clock'
import { renderTraceparent } from '@melmastoon/chassis/telemetry'
import type { RequestId, TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { FastifyRequest } from 'fastify'

/** Who and what caused an event: it travels in the envelope, through the outbox, to the consumers. */
export function eventCause(
  request: FastifyRequest,
  tenantId: TenantId | null,
  producerInstance: string,
): EventContext {
  const lookup = request.sessionLookup
  return {
    producerInstance,
    tenantId,
    requestId: request.id as RequestId,
    traceparent: renderTraceparent(request.trace),
    occurredAt: systemClock.now(),
    sessionId: lookup.kind === 'found' ? lookup.session.id : null,
  }
}
