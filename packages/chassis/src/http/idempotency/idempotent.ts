import type { FastifyRequest } from 'fastify'
import { idempotentHandler, type RouteHandler } from './idempotent-handler.ts'
import type { IdempotentRouteOptions } from './prepare-route.ts'
import { type IdempotentHandler, runOnce } from './run-once.ts'

/**
 * Runs a handler at most once per key. It sits where the handler sits, behind all hooks: who may
 * not call the route may not see a stored response either (IDEM-25). A client that goes away does
 * not stop the work (IDEM-22).
 */
export function idempotent<R extends FastifyRequest = FastifyRequest>(
  options: IdempotentRouteOptions<R>,
  handler: IdempotentHandler<R>,
): RouteHandler<R> {
  return idempotentHandler(options, (exchange) => runOnce(exchange, handler))
}
