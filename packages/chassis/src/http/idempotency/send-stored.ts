import { PROBLEMS, type Problem, type ProblemCode, problem } from '@melmastoon/domain'
import type { FastifyReply } from 'fastify'
import type { StoredOutcome, StoredResponse } from '../../idempotency/index.ts'
import { crashPoint } from '../../lifecycle/index.ts'

export function sendResponse(reply: FastifyReply, response: StoredResponse): FastifyReply {
  crashPoint('idempotency.before_send')
  reply.code(response.status).headers(response.headers)
  return response.body.length === 0 ? reply.send() : reply.send(response.body)
}

export function sendStored(reply: FastifyReply, outcome: StoredOutcome): FastifyReply {
  switch (outcome.kind) {
    case 'replay':
      return sendResponse(reply.header('idempotent-replayed', 'true'), outcome.response)
    case 'in_flight': {
      const { retryAfterSeconds } = outcome
      throw describedProblem('MELMASTOON.IDEMPOTENCY.IN_FLIGHT', { retryAfterSeconds })
    }
    case 'reused':
      throw describedProblem('MELMASTOON.IDEMPOTENCY.KEY_REUSED')
  }
}

/** The draft standard requires a link to the documentation of the error. */
export function describedProblem(
  code: ProblemCode,
  options: { readonly retryAfterSeconds?: number; readonly cause?: Problem } = {},
): Problem {
  const headers = { link: `<${PROBLEMS[code].type}>; rel="describedby"` }
  const { retryAfterSeconds, cause } = options
  const { detail, errors } = cause ?? {}
  return problem(code, { headers, retryAfterSeconds, detail, errors, cause })
}
