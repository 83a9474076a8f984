import type { FastifyRequest } from 'fastify'
import { eventCause } from '../../http/event-cause.ts'
import type { Operator } from '../control-room.ts'

export function operatorOf(
  request: FastifyRequest,
  { instance }: { readonly instance: string },
): Operator {
  return { causeFor: (tenantId) => eventCause(request, { producerInstance: instance, tenantId }) }
}
