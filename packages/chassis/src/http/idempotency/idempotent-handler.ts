import { isProblem } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fingerprint, IdempotencyScope } from '../../idempotency/index.ts'
import { describedProblem } from './described-problem.ts'
import { type IdempotentRouteOptions, type PreparedRoute, prepareRoute } from './prepare-route.ts'
import { readFingerprint } from './read-fingerprint.ts'
import { readScope } from './read-scope.ts'

/**
 * Resolves to the reply, which Fastify takes as "already answered" whatever the route's response
 * type is: hence `never`.
 */
export type RouteHandler<R extends FastifyRequest> = (
  request: R,
  reply: FastifyReply,
) => Promise<never>

export interface Exchange<R extends FastifyRequest> {
  readonly route: PreparedRoute<R>
  readonly request: R
  readonly reply: FastifyReply
  readonly scope: IdempotencyScope
  readonly requestHash: Fingerprint
}

const idempotentHandlers = new WeakSet<object>()

export function isIdempotentHandler(handler: object): boolean {
  return idempotentHandlers.has(handler)
}

/** What every idempotent route does first: read the key, its scope and the fingerprint. */
export function idempotentHandler<R extends FastifyRequest>(
  options: IdempotentRouteOptions<R>,
  run: (exchange: Exchange<R>) => Promise<FastifyReply>,
): RouteHandler<R> {
  const route = prepareRoute(options)
  const handle = async (request: R, reply: FastifyReply) => {
    const scope = describeKeyFailure(() => readScope(route, request))
    const requestHash = readFingerprint(route, request)
    return (await run({ route, request, reply, scope, requestHash })) as never
  }
  idempotentHandlers.add(handle)
  return handle
}

function describeKeyFailure<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isProblem(error) || !error.code.startsWith('MELMASTOON.IDEMPOTENCY.')) throw error
    throw describedProblem(error.code, undefined, error)
  }
}
