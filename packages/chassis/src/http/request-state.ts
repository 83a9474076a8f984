import type { ServerResponse } from 'node:http'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { createDeadline, type Deadline } from '../clock/index.ts'
import {
  childOf,
  newTrace,
  parseTraceHeaders,
  type RouteSeries,
  type Span,
  type TraceContext,
  type TraceHeaders,
  type Tracer,
} from '../telemetry/index.ts'
import type { Encoding } from './negotiation.ts'
import { SECURITY_HEADERS } from './response-headers.ts'

export const STANDARD_HEAD = Object.entries(SECURITY_HEADERS).flat()

/** For routes that set no other deadline. Shorter than the timeouts of usual clients. */
const DEADLINE_MS = 10_000

interface Sampling {
  /** Whether the caller's decision applies. */
  readonly isTrusted: boolean
  /** A decision that was made already. */
  readonly isSampled: boolean | undefined
}

/**
 * The state of one request. Trace and deadline are created on first use: most
 * responses come from a cache and need neither.
 */
export class RequestState {
  readonly series: RouteSeries
  readonly config: FastifyContextConfig
  readonly requestId: string
  readonly startedMs = performance.now()
  /** Response headers, names and values alternating: see `addHeader`. */
  head: string[]
  /** The content encodings that the client accepts, best first. */
  encodings: readonly Encoding[] = []
  errorCode: string | null = null
  span: Span | null = null
  #incoming: TraceHeaders | null = null
  #trace: TraceContext | null = null
  #deadline: Deadline | null = null
  #disconnect: AbortController | null = null
  #ended = false

  constructor(config: FastifyContextConfig, series: RouteSeries, requestId: string) {
    this.config = config
    this.series = series
    this.requestId = requestId
    this.head = [...STANDARD_HEAD, 'x-request-id', requestId]
    series.start()
  }

  /**
   * A span exists only when sampling here or at a trusted caller selected this trace: otherwise any
   * client could make us record every request.
   */
  beginTrace(tracer: Tracer, headers: TraceHeaders, { isTrusted, isSampled }: Sampling): void {
    this.#incoming = headers
    const parent = parseTraceHeaders(headers)
    const callers = parent !== null && isTrusted ? parent.sampled : undefined
    if (!(isSampled ?? callers ?? tracer.shouldSample())) return
    const { route, method } = this.series
    this.span = tracer.startSpan(`${method} ${route}`, parent && { ...parent, sampled: true }, {
      role: 'server',
      attributes: { 'http.request.method': method, 'http.route': route },
    })
    this.#trace = { ...this.span.trace, requestId: this.requestId }
  }

  get trace(): TraceContext {
    this.#trace ??= { ...continueTrace(this.#incoming), requestId: this.requestId }
    return this.#trace
  }

  /** The time left by the route's deadline. */
  remainingMs(): number {
    const budgetMs = this.config.deadlineMs ?? DEADLINE_MS
    return Math.max(0, budgetMs - (performance.now() - this.startedMs))
  }

  get deadline(): Deadline {
    if (this.#deadline === null) {
      this.#disconnect = new AbortController()
      const parent = this.#disconnect.signal
      this.#deadline = createDeadline(this.remainingMs(), { parent })
      if (this.#ended) this.#release(true)
    }
    return this.#deadline
  }

  /** The response outlives its request by far: nothing waits for the deadline any more. */
  detach(): void {
    this.#deadline?.[Symbol.dispose]()
    this.#deadline = null
    this.#disconnect = null
    this.#incoming = null
    this.head = []
  }

  /** Runs once, when the response is sent or the client has disconnected. */
  end(response: ServerResponse): number {
    const durationMs = performance.now() - this.startedMs
    this.#ended = true
    this.series.finish(response.statusCode, durationMs / 1000)
    if (this.#deadline !== null) this.#release(!response.writableFinished)
    if (this.span !== null) this.#endSpan(this.span, response.statusCode)
    return durationMs
  }

  #release(disconnected: boolean): void {
    if (disconnected) {
      this.#disconnect?.abort(new DOMException('client disconnected', 'AbortError'))
    }
    this.#deadline?.[Symbol.dispose]()
  }

  #endSpan(span: Span, status: number): void {
    span.setAttribute('http.response.status_code', status)
    if (status >= 500) span.fail(this.errorCode ?? String(status))
    span.end()
  }
}

export function continueTrace(headers: TraceHeaders | null): TraceContext {
  const parent = headers === null ? null : parseTraceHeaders(headers)
  return parent === null ? newTrace() : childOf({ ...parent, sampled: false })
}

/** The path without the query, which may hold a token (D4). */
export function pathOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '/'
  const end = url.search(/[?#]/)
  return (end === -1 ? url : url.slice(0, end)).slice(0, 512)
}
