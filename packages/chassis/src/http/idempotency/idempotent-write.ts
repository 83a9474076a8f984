import { isProblem, type Problem, problemDocument } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deadline } from '../../clock/index.ts'
import {
  findStored,
  isStorable,
  type Mutation,
  type ResponseDraft,
  rejectionOf,
  writeOnce,
} from '../../idempotency/index.ts'
import { problemContext } from '../error-handler.ts'
import {
  type Exchange,
  type IdempotentRouteOptions,
  idempotentRoute,
  type RouteHandler,
} from './idempotent-route.ts'
import { sendResponse, sendStored } from './send-stored.ts'

/** May read, but not write. A rejection is thrown as a Problem. */
export type MutationPlan<R extends FastifyRequest> = (
  request: R,
  work: { readonly deadline: Deadline },
) => Mutation | Promise<Mutation>

/**
 * A mutation without an upstream call: claim, effects, events and result are one statement. The
 * plan runs before the key is looked up, so a fresh request costs one round trip; for a repeated
 * request the stored response takes precedence, also over a rejection by the plan.
 */
export function idempotentWrite<R extends FastifyRequest = FastifyRequest>(
  options: IdempotentRouteOptions<R>,
  plan: MutationPlan<R>,
): RouteHandler<R> {
  return idempotentRoute(options, async (exchange) => {
    const { request, deadline } = exchange
    let mutation: Mutation
    try {
      mutation = await plan(request, { deadline })
    } catch (error) {
      return reject(exchange, error)
    }
    return write(exchange, mutation)
  })
}

async function write<R extends FastifyRequest>(
  exchange: Exchange<R>,
  mutation: Mutation,
): Promise<FastifyReply> {
  const { reply, store, keyed } = exchange
  const outcome = await writeOnce(store, keyed, mutation)
  switch (outcome.kind) {
    case 'done':
      return sendResponse(reply, outcome.response)
    case 'no_effect':
      return reject(exchange, rejectionOf(mutation))
    case 'replay':
    case 'in_flight':
    case 'reused':
      return sendStored(reply, outcome)
  }
}

/** A final rejection is stored like a result; any other is sent only if nothing is stored. */
async function reject<R extends FastifyRequest>(
  exchange: Exchange<R>,
  error: unknown,
): Promise<FastifyReply> {
  const response = finalRejection(exchange, error)
  if (response !== null) return write(exchange, { response })
  const stored = await findStored(exchange.store, exchange.keyed)
  if (stored === null) throw error
  return sendStored(exchange.reply, stored)
}

/** The response of a rejection that every later request with this key receives, else null. */
export function finalRejection<R extends FastifyRequest>(
  { request, finalRejections }: Exchange<R>,
  error: unknown,
): ResponseDraft | null {
  if (!isProblem(error)) return null
  if (!isStorable(error.status, error.code, finalRejections)) return null
  request.state.errorCode = error.code
  return rejectionResponse(error, request)
}

function rejectionResponse(rejection: Problem, request: FastifyRequest): ResponseDraft {
  return {
    status: rejection.status,
    body: problemDocument(rejection, problemContext(request)),
    headers: {
      ...rejection.headers,
      'cache-control': 'no-store',
      'content-type': 'application/problem+json',
    },
  }
}
