import type { ProblemCode, TenantId } from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'
import {
  type FingerprintVersions,
  finalRefusalSet,
  type IdempotencyStore,
} from '../../idempotency/index.ts'

export interface IdempotentRouteOptions<R extends FastifyRequest = FastifyRequest> {
  readonly store: IdempotencyStore
  readonly service: string
  /** How long a result is replayed. */
  readonly ttlMs: number
  /** The route's deadline plus some seconds: a retry after a crash waits this long. */
  readonly leaseMs: number
  /** Session, or operator and device: whoever may see the response again. */
  readonly principal: (request: R) => string
  readonly tenant: (request: R) => TenantId | null
  readonly device?: (request: R) => string | undefined
  readonly operator?: (request: R) => string | undefined
  /** Headers that change what the request means, or their resolved values (currency, locale). */
  readonly significantHeaders?: readonly string[] | ((request: R) => Record<string, string>)
  /** Refusals that stand: replayed like a success. */
  readonly finalRefusals?: readonly ProblemCode[]
  readonly fingerprints?: FingerprintVersions
}

export interface PreparedRoute<R extends FastifyRequest> {
  readonly options: IdempotentRouteOptions<R>
  readonly finalRefusals: ReadonlySet<ProblemCode>
  readonly readSignificant: (request: R) => Record<string, string>
}

/** Whatever is wrong with a route is found when it is built, not when a guest meets it. */
export function prepareRoute<R extends FastifyRequest>(
  options: IdempotentRouteOptions<R>,
): PreparedRoute<R> {
  const { leaseMs, ttlMs, significantHeaders = [], finalRefusals = [] } = options
  if (!(leaseMs > 0 && ttlMs > leaseMs)) throw new TypeError('needs 0 < leaseMs < ttlMs')
  const readSignificant =
    typeof significantHeaders === 'function'
      ? significantHeaders
      : headerReader(significantHeaders.map((name) => name.toLowerCase()))
  return { options, finalRefusals: finalRefusalSet(finalRefusals), readSignificant }
}

function headerReader(
  names: readonly string[],
): (request: FastifyRequest) => Record<string, string> {
  return (request) => {
    const values: Record<string, string> = {}
    for (const name of names) {
      const value = request.headers[name]
      if (value !== undefined) values[name] = String(value).trim()
    }
    return values
  }
}
