import type { RequestId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../clock/index.ts'
import { renderTraceparent } from '../telemetry/index.ts'

/** The context of a service has both. */
export interface EventSource {
  readonly config: { readonly instance: string }
  readonly clock: Clock
}

/** The actor of the request; without a tenant unless one is given. */
export type EventActor = Partial<Pick<EventContext, 'tenantId' | 'sessionId' | 'userId'>>

/** The cause of an event: part of its envelope, so that consumers receive it. */
export function eventCause(
  { config, clock }: EventSource,
  request: Pick<FastifyRequest, 'id' | 'trace'>,
  { tenantId = null, ...actor }: EventActor = {},
): EventContext {
  return {
    ...actor,
    producerInstance: config.instance,
    tenantId,
    requestId: request.id as RequestId,
    traceparent: renderTraceparent(request.trace),
    occurredAt: clock.now(),
  }
}
