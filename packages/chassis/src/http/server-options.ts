import type { IncomingMessage } from 'node:http'
import { isId, newId } from '@melmastoon/domain'
import type { FastifyHttpOptions, RawServerDefault } from 'fastify'
import { handleClientError } from './connection-errors.ts'
import { createSerializerBuilder } from './serializer.ts'
import { createValidatorBuilder } from './validator.ts'

export interface ServerLimits {
  requestTimeoutMs?: number
  headersTimeoutMs?: number
  trustProxyHops?: number
}

/** Routes opt in to more with `bodyLimit`. */
const BODY_BYTES_MAX = 64 * 1024
/** A client has this long to deliver headers and the whole request (slow clients, SEC-N01). */
const HEADERS_TIMEOUT_MS = 5000
const REQUEST_TIMEOUT_MS = 10_000
const CHECKING_INTERVAL_MS = 1000
/**
 * Longer than a Google load balancer keeps idle connections (600 s): otherwise it may reuse a
 * socket that was closed.
 */
const KEEP_ALIVE_TIMEOUT_MS = 620_000
const REQUESTS_PER_SOCKET_MAX = 1000
const HEADER_BYTES_MAX = 16 * 1024
/** As long as an idempotency key, so that every key can be looked up by a path parameter. */
const PARAM_LENGTH_MAX = 255

export function serverOptions(limits: ServerLimits): FastifyHttpOptions<RawServerDefault> {
  const hops = limits.trustProxyHops ?? 0
  const headersTimeoutMs = limits.headersTimeoutMs ?? HEADERS_TIMEOUT_MS
  const requestTimeoutMs = limits.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  return {
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxRequestsPerSocket: REQUESTS_PER_SOCKET_MAX,
    http: {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(CHECKING_INTERVAL_MS, headersTimeoutMs),
      maxHeaderSize: HEADER_BYTES_MAX,
      insecureHTTPParser: false,
      // Otherwise Node takes the first of several `Host` lines and ignores the others.
      joinDuplicateHeaders: true,
    },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    return503OnClosing: false,
    genReqId: requestIdOf,
    trustProxy: hops === 0 ? false : (_address: string, hop: number) => hop < hops,
    clientErrorHandler: handleClientError,
    schemaController: {
      compilersFactory: {
        buildValidator: createValidatorBuilder(),
        buildSerializer: createSerializerBuilder(),
      },
    },
  }
}

/** A well-formed id of the caller is used: one id follows a request through the platform. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return isId('req', given) ? given : newId('req')
}
