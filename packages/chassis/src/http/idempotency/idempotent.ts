import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Deadline, shareOf } from '../../clock/index.ts'
import {
  type Claim,
  claim,
  isStorable,
  type Mutation,
  type ResponseDraft,
  rejectionOf,
  renderResponse,
} from '../../idempotency/index.ts'
import {
  type Exchange,
  type IdempotentRouteOptions,
  idempotentRoute,
  type RouteHandler,
} from './idempotent-route.ts'
import { finalRejection } from './idempotent-write.ts'
import { sendResponse, sendStored } from './send-stored.ts'

/**
 * A response that is sent but not stored: the work goes on elsewhere, and a repeated request gets
 * the result as it is then.
 */
export interface ProvisionalResponse {
  readonly provisional: ResponseDraft
  /** It is the result of an earlier request, which was not stored because it has a secret. */
  readonly isReplayed?: boolean
}

/**
 * Returns what to write and the response, which are stored in one statement; or `undefined` once it
 * has called `claim.completeIn` in its own transaction. A rejection is thrown as a Problem.
 * Upstream and database calls use `work.deadline`.
 */
export type IdempotentHandler<R extends FastifyRequest> = (
  request: R,
  claim: Claim,
  work: { readonly deadline: Deadline },
) => Promise<Mutation | ProvisionalResponse | undefined>

/**
 * A mutation with upstream calls: one statement claims the key, the handler calls upstream with
 * keys derived from it, one fenced statement completes. The handler runs at most once at a time per
 * key. It runs after all hooks: a client without access to the route gets no stored response either
 * (IDEM-25). A client that disconnects does not stop the work (IDEM-22).
 */
export function idempotent<R extends FastifyRequest = FastifyRequest>(
  options: IdempotentRouteOptions<R>,
  handler: IdempotentHandler<R>,
): RouteHandler<R> {
  return idempotentRoute(options, async (exchange) => {
    const { reply, store, keyed } = exchange
    const outcome = await claim(store, keyed)
    if (outcome.kind !== 'claimed') return sendStored(reply, outcome)
    return execute(exchange, outcome.claim, handler)
  })
}

async function execute<R extends FastifyRequest>(
  exchange: Exchange<R>,
  held: Claim,
  handler: IdempotentHandler<R>,
): Promise<FastifyReply> {
  const { request, reply, deadline } = exchange
  let unstored: ProvisionalResponse | undefined
  try {
    await settle(exchange, held, async () => {
      const mutation = await handler(request, held, { deadline })
      if (mutation === undefined) return
      if ('provisional' in mutation) {
        unstored = mutation
        return
      }
      const isDone = await held.complete(checkedMutation(mutation))
      if (!isDone) throw rejectionOf(mutation)
    })
  } catch (error) {
    await abandon(exchange, held)
    throw error
  }
  if (unstored !== undefined) {
    await abandon(exchange, held)
    if (unstored.isReplayed === true) reply.header('idempotent-replayed', 'true')
    return sendResponse(reply, renderResponse(unstored.provisional))
  }
  if (held.response === null) throw new TypeError('the handler neither completed nor responded')
  return sendResponse(reply, held.response)
}

/** A final rejection is a result too. */
async function settle<R extends FastifyRequest>(
  exchange: Exchange<R>,
  held: Claim,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const response = finalRejection(exchange, error)
    if (response === null) throw error
    await held.complete({ response })
  }
}

/** If this write fails too, the lease expires; the first error is reported. */
async function abandon<R extends FastifyRequest>(
  { request }: Exchange<R>,
  held: Claim,
): Promise<void> {
  await held.abandon(shareOf(request.state, 0.5)).catch(() => undefined)
}

function checkedMutation(mutation: Mutation): Mutation {
  const { status } = mutation.response
  if (isStorable(status)) return mutation
  throw new TypeError(`an idempotent handler throws a Problem instead of returning ${status}`)
}
