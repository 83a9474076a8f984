import type { FastifyReply } from 'fastify'
import type { ReplayOutcome, StoredResponse } from '../../idempotency/index.ts'
import { crashPoint } from '../../lifecycle/index.ts'
import { describedProblem } from './described-problem.ts'

export function sendStored(reply: FastifyReply, response: StoredResponse): FastifyReply {
  crashPoint('idempotency.before_send')
  reply.code(response.status).headers(response.headers)
  return response.body.length === 0 ? reply.send() : reply.send(response.body)
}

export function sendOutcome(reply: FastifyReply, outcome: ReplayOutcome): FastifyReply {
  switch (outcome.kind) {
    case 'replay':
      return sendStored(reply.header('idempotent-replayed', 'true'), outcome.response)
    case 'in_flight':
      throw describedProblem('MELMASTOON.IDEMPOTENCY.IN_FLIGHT', outcome.retryAfterSeconds)
    case 'reused':
      throw describedProblem('MELMASTOON.IDEMPOTENCY.KEY_REUSED')
  }
}
