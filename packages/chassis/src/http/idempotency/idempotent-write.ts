import type { FastifyReply, FastifyRequest } from 'fastify'
import { oneStatement, type WritePlan } from '../../idempotency/index.ts'
import { type Exchange, idempotentHandler, type RouteHandler } from './idempotent-handler.ts'
import type { IdempotentRouteOptions } from './prepare-route.ts'
import { runOnce } from './run-once.ts'
import { sendOutcome, sendStored } from './send-outcome.ts'

/** A mutation that is one SQL statement: claim, effect, events and result in one round trip. */
export function idempotentWrite<R extends FastifyRequest = FastifyRequest>(
  options: IdempotentRouteOptions<R>,
  plan: (request: R) => WritePlan,
): RouteHandler<R> {
  return idempotentHandler(options, (exchange) => writeOnce(exchange, plan(exchange.request)))
}

async function writeOnce<R extends FastifyRequest>(
  exchange: Exchange<R>,
  plan: WritePlan,
): Promise<FastifyReply> {
  const { route, reply, scope, requestHash } = exchange
  const { store, ttlMs } = route.options
  const { effect, events, response } = plan
  const write = { requestHash, ttlMs, effect, response, ...(events && { events }) }
  const outcome = await oneStatement(store, scope, write)
  switch (outcome.kind) {
    case 'done':
      return sendStored(reply, outcome.response)
    case 'no_effect':
      return runOnce(exchange, () => Promise.reject(refusalOf(plan)))
    case 'replay':
    case 'in_flight':
    case 'reused':
      return sendOutcome(reply, outcome)
  }
}

function refusalOf({ refusal }: WritePlan): Error {
  return refusal?.() ?? new TypeError('the effect touched no row and the route has no refusal')
}
