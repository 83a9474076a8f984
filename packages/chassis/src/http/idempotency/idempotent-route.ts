import { isProblem, type ProblemCode, type TenantId } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createDeadline, type Deadline } from '../../clock/index.ts'
import {
  chooseKey,
  FINGERPRINT_VERSIONS,
  type Fingerprint,
  type FingerprintVersions,
  finalRejectionSet,
  fingerprint,
  type IdempotencyScope,
  type IdempotencyStore,
  type KeyedRequest,
} from '../../idempotency/index.ts'
import { describedProblem } from './send-stored.ts'

export interface IdempotentRouteOptions<R extends FastifyRequest = FastifyRequest> {
  readonly store: IdempotencyStore
  readonly service: string
  /** How long a result is replayed. */
  readonly ttlMs: number
  /** The route's deadline plus some seconds: a retry after a crash waits this long. */
  readonly leaseMs: number
  /** Session, or operator and device: who may see the response again. */
  readonly principal: (request: R) => string
  readonly tenant: (request: R) => TenantId | null
  readonly device?: (request: R) => string | undefined
  readonly operator?: (request: R) => string | undefined
  /** Headers that change the meaning of the request, or their resolved values (currency). */
  readonly significantHeaders?: readonly string[] | ((request: R) => Record<string, string>)
  /** Rejections that are replayed like a success. */
  readonly finalRejections?: readonly ProblemCode[]
  readonly fingerprints?: FingerprintVersions
}

/** One request to an idempotent route, with everything that was read from it. */
export interface Exchange<R extends FastifyRequest> {
  readonly request: R
  readonly reply: FastifyReply
  readonly store: IdempotencyStore
  readonly keyed: KeyedRequest & { readonly leaseMs: number }
  readonly finalRejections: ReadonlySet<ProblemCode>
  /** For all work on this request. Unlike `request.deadline` it ignores a lost client (IDEM-22). */
  readonly deadline: Deadline
}

/**
 * Resolves to the reply, which Fastify treats as "already sent" for any response type of the route.
 * Therefore its type is `never`.
 */
export type RouteHandler<R extends FastifyRequest> = (
  request: R,
  reply: FastifyReply,
) => Promise<never>

/** The rest of the lease and of the request's time is left for storing how the work ended. */
const WORK_SHARE_OF_LEASE = 0.8
const WORK_SHARE_OF_REQUEST = 0.9

const idempotentHandlers = new WeakSet<object>()

export function isIdempotentHandler(handler: object): boolean {
  return idempotentHandlers.has(handler)
}

/** The common part of all idempotent routes: key, scope, fingerprint and deadline of a request. */
export function idempotentRoute<R extends FastifyRequest>(
  options: IdempotentRouteOptions<R>,
  run: (exchange: Exchange<R>) => Promise<FastifyReply>,
): RouteHandler<R> {
  const { store, leaseMs, ttlMs } = options
  if (!(leaseMs > 0 && ttlMs > leaseMs)) throw new TypeError('needs 0 < leaseMs < ttlMs')
  const finalRejections = finalRejectionSet(options.finalRejections ?? [])
  const readFingerprint = fingerprintReader(options)
  const handle = async (request: R, reply: FastifyReply) => {
    const scope = readScope(options, request)
    const requestHash = readFingerprint(request)
    using deadline = createDeadline(workMs(leaseMs, request))
    const keyed = { scope, requestHash, ttlMs, leaseMs, deadline }
    const sent = await run({ request, reply, store, keyed, finalRejections, deadline })
    return sent as never
  }
  idempotentHandlers.add(handle)
  return handle
}

function workMs(leaseMs: number, { state }: FastifyRequest): number {
  return Math.min(leaseMs * WORK_SHARE_OF_LEASE, state.remainingMs() * WORK_SHARE_OF_REQUEST)
}

function readScope<R extends FastifyRequest>(
  options: IdempotentRouteOptions<R>,
  request: R,
): IdempotencyScope {
  return {
    service: options.service,
    operation: request.routeOptions.config.operation ?? '',
    tenantId: options.tenant(request),
    principal: options.principal(request),
    key: readKey(request.raw.rawHeaders),
    deviceId: options.device?.(request),
    operatorId: options.operator?.(request),
  }
}

function readKey(rawHeaders: readonly string[]): string {
  const linesOf = (name: string) => headerLines(rawHeaders, name)
  try {
    return chooseKey(linesOf('idempotency-key'), linesOf('x-idempotency-key'))
  } catch (error) {
    throw isProblem(error) ? describedProblem(error.code, { cause: error }) : error
  }
}

/** From the raw list: Node joins repeated headers, and two keys must not be read as one. */
function headerLines(rawHeaders: readonly string[], name: string): string[] {
  const lines: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? ''
    if (candidate.length === name.length && candidate.toLowerCase() === name) {
      lines.push(rawHeaders[index + 1] ?? '')
    }
  }
  return lines
}

/**
 * Parameters and query too: the scope contains the operation, not the address. Parameters that only
 * identify the tenant are left out, because the scope contains it (D24).
 */
function fingerprintReader<R extends FastifyRequest>(
  options: IdempotentRouteOptions<R>,
): (request: R) => Fingerprint {
  const { significantHeaders = [] } = options
  const versions = options.fingerprints ?? FINGERPRINT_VERSIONS
  const readHeaders =
    typeof significantHeaders === 'function'
      ? significantHeaders
      : (request: R) => pick(request.headers, significantHeaders)
  return (request) => {
    const { body, query, routeOptions } = request
    const params = omit(request.params as object, routeOptions.config.addressParams ?? [])
    return fingerprint({ body, params, query }, readHeaders(request), versions)
  }
}

function pick(
  headers: FastifyRequest['headers'],
  names: readonly string[],
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of names) {
    const lower = name.toLowerCase()
    const value = headers[lower]
    if (value !== undefined) values[lower] = String(value).trim()
  }
  return values
}

function omit(params: object, names: readonly string[]): object {
  if (names.length === 0) return params
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
}
