import { systemClock } from '@melmastoon/chassis/clock'
import { renderTraceparent } from '@melmastoon/chassis/telemetry'
import type { RequestId, TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { FastifyRequest } from 'fastify'

export interface Origin {
  producerInstance: string
  tenantId: TenantId | null
}

export function eventCause(request: FastifyRequest, origin: Origin): EventContext {
  return {
    ...origin,
    requestId: request.id as RequestId,
    traceparent: renderTraceparent(request.trace),
    occurredAt: systemClock.now(),
  }
}
