import type { ServerResponse } from 'node:http'
import { type Problem, problem } from '@melmastoon/domain'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import type { Deadline } from '../clock/index.ts'
import type { Logger, Metrics, RouteSeries, TraceContext, Tracer } from '../telemetry/index.ts'
import type { AddressLimit } from './address-limits.ts'
import { limitUnreadBody } from './connection-errors.ts'
import { decidedFor } from './fast-path/fast-request.ts'
import type { LoadGauge, Traffic } from './load.ts'
import { encodingsFor, isJsonAcceptable } from './negotiation.ts'
import { notFound, type RouteMethods } from './not-found.ts'
import { rejectionOf } from './request-checks.ts'
import { RequestState } from './request-state.ts'
import { addHeader, registerResponseHeaders } from './response-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name in logs, limits, idempotency scopes and OpenAPI: `guest.hold.place`. */
    operation?: string
    deadlineMs?: number
    /** Served even while the process sheds load. */
    essential?: boolean
    series?: RouteSeries
    /** Whether the route declares a response with content, which is JSON: `Accept` is checked. */
    sendsJson?: boolean
  }

  interface FastifyRequest {
    state: RequestState
    readonly trace: TraceContext
    readonly deadline: Deadline
  }
}

export interface RequestContextOptions {
  metrics: Metrics
  logger: Logger
  tracer: Tracer
  traffic: Traffic
  load: LoadGauge
  routes: RouteMethods
  /** For requests without a route. */
  unmatchedLimit: AddressLimit
  trustsCallerSampling: boolean
}

interface TrackedResponse extends ServerResponse {
  melmastoonState?: RequestState
  melmastoonOptions?: RequestContextOptions
}

/**
 * The one hook of every request, because each further hook costs. It uses one shared `close`
 * listener instead of Fastify's `onResponse`, which also misses responses that a client did not
 * wait for. A request without a route is rejected here, before its body is read.
 */
export function registerRequestContext(app: FastifyInstance, options: RequestContextOptions): void {
  const { metrics, tracer, traffic, load } = options
  const unmatched = metrics.requests.series('unmatched', 'ANY')
  app.decorateRequest('state')
  app.decorateRequest('trace', { getter: traceOf })
  app.decorateRequest('deadline', { getter: deadlineOf })
  registerResponseHeaders(app)
  app.addHook('onRoute', (route) => {
    const method = Array.isArray(route.method) ? route.method.join(',') : route.method
    const series = metrics.requests.series(route.url, method)
    route.config = { ...route.config, series, sendsJson: sendsJson(route.schema?.response) }
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { config } = request.routeOptions
    const state = new RequestState(config, config.series ?? unmatched, request.id)
    request.state = state
    const response: TrackedResponse = reply.raw
    response.melmastoonState = state
    response.melmastoonOptions = options
    state.encodings = encodingsFor(request.raw.headers)
    traffic.inFlight++
    response.on('close', endRequest)
    state.beginTrace(tracer, request.raw.headers, {
      isTrusted: options.trustsCallerSampling,
      isSampled: decidedFor(request.raw)?.isSampled,
    })
    if (traffic.draining) addHeader(reply, 'connection', 'close')
    if (load.overloaded && !config.essential) done(problem('MELMASTOON.GENERAL.OVERLOADED'))
    else done(rejectionOf(request) ?? missingRoute(options, request) ?? notAcceptable(request))
  })
}

function missingRoute(
  { routes, unmatchedLimit }: RequestContextOptions,
  request: FastifyRequest,
): Problem | undefined {
  const { config } = request.routeOptions
  if (config.series !== undefined) return undefined
  const limited = unmatchedLimit(request)
  if (limited !== undefined || request.method === 'OPTIONS') return limited
  return notFound(request, routes)
}

/**
 * A response without content is acceptable to every client. One that lists its media types in
 * `content` is a file, for example a calendar: programs request it by its own type.
 */
function sendsJson(responses: unknown): boolean {
  if (typeof responses !== 'object' || responses === null) return false
  return Object.entries(responses).some(
    ([status, response]) => status !== '204' && !listsMediaTypes(response),
  )
}

function listsMediaTypes(response: unknown): boolean {
  return typeof response === 'object' && response !== null && 'content' in response
}

/** Before the handler runs: a mutation must not take effect and then return 406. */
function notAcceptable({ state, raw }: FastifyRequest): Problem | undefined {
  if (!state.config.sendsJson) return undefined
  if (state.encodings.length > 0 && isJsonAcceptable(raw.headers)) return undefined
  return problem('MELMASTOON.GENERAL.NOT_ACCEPTABLE')
}

function traceOf(this: FastifyRequest): TraceContext {
  return this.state.trace
}

function deadlineOf(this: FastifyRequest): Deadline {
  return this.state.deadline
}

function endRequest(this: TrackedResponse): void {
  const { melmastoonState: state, melmastoonOptions: options } = this
  if (state === undefined || options === undefined) return
  options.traffic.inFlight--
  const durationMs = state.end(this)
  if (this.req.complete === false) limitUnreadBody(this.req)
  const gone = !this.writableFinished
  if (state.span === null && this.statusCode < 500 && !gone) return
  const { series, config, errorCode, requestId, trace } = state
  const { traceId } = trace
  logRequest(options, this, { series, config, errorCode, durationMs, requestId, traceId })
}

export interface RequestLogOptions {
  readonly logger: Logger
}

interface EndedRequest {
  readonly series: RouteSeries
  readonly config: FastifyContextConfig
  readonly errorCode: string | null
  readonly durationMs: number
  readonly requestId: string
  readonly traceId: string
}

export function logRequest(
  { logger }: RequestLogOptions,
  { statusCode: status, writableFinished }: ServerResponse,
  { series, config, errorCode, durationMs, ...ids }: EndedRequest,
): void {
  // An error of this process is also logged where it happened, with its stack.
  const level = status >= 500 ? 'warn' : 'info'
  logger[level](
    {
      operation: config.operation,
      route: series.route,
      method: series.method,
      status,
      outcome: writableFinished ? 'completed' : 'client_disconnected',
      code: errorCode,
      durationMs: Math.round(durationMs),
      ...ids,
    },
    'request',
  )
}
