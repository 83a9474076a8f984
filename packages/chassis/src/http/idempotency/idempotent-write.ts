import { isProblem, PROBLEMS, type Problem, problemDocument } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Deadline, shareOf } from '../../clock/index.ts'
import {
  findStored,
  isStorable,
  type Mutation,
  type ResponseDraft,
  rejectionOf,
  type StoredOutcome,
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
  const stored = await findInReserve(exchange, error)
  if (stored === null) throw error
  return sendStored(exchange.reply, stored)
}

/**
 * Uses a reserved part of the deadline, because the plan may have used up the rest. If this fails
 * as well, a retriable rejection is sent unchanged; any other would be wrong if a response is
 * stored.
 */
async function findInReserve<R extends FastifyRequest>(
  { request, store, keyed }: Exchange<R>,
  rejection: unknown,
): Promise<StoredOutcome | null> {
  try {
    return await findStored(store, { ...keyed, deadline: shareOf(request.state, 0.5) })
  } catch (failure) {
    if (isProblem(rejection) && !PROBLEMS[rejection.code].retriable) throw failure
    return null
  }
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
