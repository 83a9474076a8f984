import type { Deadline } from '@melmastoon/chassis/clock'
import { type EventSource, eventCause } from '@melmastoon/chassis/http'
import type { Claim } from '@melmastoon/chassis/idempotency'
import type { FastifyRequest } from 'fastify'
import type { StaffCall } from '../events/staff-call.ts'

interface Attempt {
  readonly claim: Pick<Claim, 'upstreamKey'>
  readonly work: { readonly deadline: Deadline }
}

/** How the handler of a mutation calls a use case. @param step names the upstream call. */
export function staffCall(
  source: EventSource,
  request: FastifyRequest,
  { claim, work, step }: Attempt & { readonly step: string },
): StaffCall {
  const { tenantId, sessionId, operatorId, deviceId } = request.operator
  return {
    deadline: work.deadline,
    trace: request.trace,
    idempotencyKey: claim.upstreamKey(step),
    cause: {
      ...eventCause(source, request, { tenantId, sessionId, userId: operatorId }),
      staff: { operatorId, deviceId },
    },
  }
}
