import { type Problem, type ProblemContext, problemDocument } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger, Metrics } from '../telemetry/index.ts'
import { newTrace } from '../telemetry/index.ts'
import { closeWithResponse, renderRawProblem } from './connection-errors.ts'
import { pathOf } from './request-state.ts'
import { SECURITY_HEADERS } from './response-headers.ts'
import { toProblem } from './to-problem.ts'

export interface ErrorHandlerOptions {
  metrics: Metrics
  logger: Logger
}

export type ErrorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** The only place where a thrown value becomes a response (P2). */
export function createErrorHandler({ metrics, logger }: ErrorHandlerOptions): ErrorHandler {
  return (thrown, request, reply) => {
    const failure = toProblem(thrown)
    const route = request.state?.series.route ?? 'unmatched'
    metrics.requests.countError(route, failure.code)
    if (request.state) request.state.errorCode = failure.code
    if (isOwnFault(failure)) logFailure(logger, { thrown, failure, request })
    if (failure.status === 413) closeWithProblem(failure, request, reply)
    else sendProblem(failure, request, reply)
  }
}

/**
 * What an operator must look at: an error of ours, or a request of ours that an upstream rejected.
 */
function isOwnFault({ status, code }: Problem): boolean {
  return status === 500 || code === 'MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED'
}

function sendProblem(failure: Problem, request: FastifyRequest, reply: FastifyReply): void {
  // Fastify rejects some URLs before any hook runs.
  if (!request.state) reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
  if (failure.headers) reply.headers(failure.headers)
  if (failure.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(failure.retryAfterSeconds))
  }
  reply
    .code(failure.status)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/problem+json')
    .send(JSON.stringify(problemDocument(failure, problemContext(request))))
}

/** The request data of a problem document that is created outside this handler. */
export function problemContext(request: FastifyRequest): ProblemContext {
  const { traceId } = request.state?.trace ?? newTrace()
  return { instance: pathOf(request), requestId: request.id, traceId }
}

function logFailure(
  logger: Logger,
  event: { thrown: unknown; failure: Problem; request: FastifyRequest },
): void {
  const { thrown, failure, request } = event
  const { series, config } = request.state ?? {}
  logger.error(
    {
      error: thrown,
      code: failure.code,
      route: series?.route ?? 'unmatched',
      method: request.method,
      operation: config?.operation,
      requestId: request.id,
      traceId: request.state?.trace.traceId,
    },
    'request failed',
  )
}

/** The rest of a body that is too large is not read: the connection is closed. */
function closeWithProblem(failure: Problem, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  reply.raw.statusCode = failure.status
  closeWithResponse(reply.raw, renderRawProblem(failure.code, problemContext(request)))
}
