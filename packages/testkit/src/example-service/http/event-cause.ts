import { systemClock } from '@melmastoon/chassis/clock'
import { renderTraceparent } from '@melmastoon/chassis/telemetry'
import type { RequestId, TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { FastifyRequest } from 'fastify'

export interface Origin {
  /** The instance that serves the request. */
  producerInstance: string
  tenantId: TenantId | null
  sessionId: string | null
}

/**
 * Who and what caused an event: it travels in the envelope, through the outbox, to the consumers.
 */
export function eventCause(request: FastifyRequest, origin: Origin): EventContext {
  return {
    ...origin,
    requestId: request.id as RequestId,
    traceparent: renderTraceparent(request.trace),
    occurredAt: systemClock.now(),
  }
}
