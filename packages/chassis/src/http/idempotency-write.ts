import type { Problem } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SqlFragment } from '../db/index.ts'
import { oneStatement, type ResponseDraft } from '../idempotency/index.ts'
import { sendOutcome, sendStored } from './idempotency-reply.ts'
import type { IdempotentRouteOptions } from './idempotency-request.ts'
import { type Exchange, idempotentHandler, type RouteHandler, runOnce } from './idempotent-route.ts'

export interface WritePlan {
  /** Selects `from claimed` and returns a row when it did something. */
  readonly effect: SqlFragment
  /** An insert into the outbox that selects `from claimed`. */
  readonly events?: SqlFragment
  readonly response: ResponseDraft
  /** What the caller is told when the effect touches no row. */
  readonly refusal?: () => Problem
}

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
      return runOnce(exchange, () => Promise.reject(requestRefusal(plan)))
    case 'replay':
    case 'in_flight':
    case 'reused':
      return sendOutcome(reply, outcome)
  }
}

function requestRefusal({ refusal }: WritePlan): Error {
  return refusal?.() ?? new TypeError('the effect touched no row and the route has no refusal')
}
