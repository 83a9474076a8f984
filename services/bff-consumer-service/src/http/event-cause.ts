import { renderTraceparent } from '@melmastoon/chassis/telemetry'
import type { RequestId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { FastifyRequest } from 'fastify'
import type { ConsumerContext } from '../context.ts'

/** What caused an event: it travels in the envelope. No tenant: travellers belong to none. */
export function eventCause(
  { config, clock }: ConsumerContext,
  request: FastifyRequest,
): EventContext {
  return {
    producerInstance: config.instance,
    tenantId: null,
    requestId: request.id as RequestId,
    traceparent: renderTraceparent(request.trace),
    occurredAt: clock.now(),
  }
}
