import type { IncomingMessage } from 'node:http'
import { isId, newId } from '@melmastoon/domain'
import type { FastifyHttpOptions, RawServerDefault } from 'fastify'
import { answerClientError } from './client-error.ts'
import { buildValidator } from './validator.ts'

export interface ServerLimits {
  requestTimeoutMs?: number
  headersTimeoutMs?: number
  trustProxyHops?: number
}

/** Routes opt in to more with `bodyLimit`. */
const BODY_LIMIT_BYTES = 64 * 1024
/** A client has this long to deliver headers and the whole request (slow-client attacks, T17). */
const HEADERS_TIMEOUT_MS = 5000
const REQUEST_TIMEOUT_MS = 10_000
const CHECKING_INTERVAL_MS = 1000
/** Longer than a Google load balancer keeps its side (600 s), else it may reuse a closed socket. */
const KEEP_ALIVE_TIMEOUT_MS = 620_000
const MAX_REQUESTS_PER_SOCKET = 1000
const MAX_HEADER_BYTES = 16 * 1024
const MAX_PARAM_LENGTH = 200

export function serverOptions(limits: ServerLimits): FastifyHttpOptions<RawServerDefault> {
  const hops = limits.trustProxyHops ?? 0
  const headersTimeoutMs = limits.headersTimeoutMs ?? HEADERS_TIMEOUT_MS
  const requestTimeoutMs = limits.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  return {
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxRequestsPerSocket: MAX_REQUESTS_PER_SOCKET,
    http: {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(CHECKING_INTERVAL_MS, headersTimeoutMs),
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    return503OnClosing: false,
    genReqId: requestIdOf,
    trustProxy: hops === 0 ? false : (_address: string, hop: number) => hop < hops,
    clientErrorHandler: answerClientError,
    schemaController: { compilersFactory: { buildValidator } },
  }
}

/** A well-formed id of the caller is kept, so that one id follows a request through the platform. */
function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return isId('req', given) ? given : newId('req')
}
