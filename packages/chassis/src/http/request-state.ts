import type { ServerResponse } from 'node:http'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { createDeadline, type Deadline } from '../clock/index.ts'
import {
  childOf,
  newTrace,
  parseTraceparent,
  type RouteSeries,
  type Span,
  type TraceContext,
  type Tracer,
} from '../telemetry/index.ts'
import { SECURITY_HEADERS } from './response-headers.ts'

const STANDARD_HEAD = Object.entries(SECURITY_HEADERS).flat()

/** Long enough for every route that does not say otherwise, shorter than any client's patience. */
const DEADLINE_MS = 10_000

/**
 * What one request carries besides its data. Trace and deadline are made when somebody asks: most
 * answers come from a cache and need neither.
 */
export class RequestState {
  readonly series: RouteSeries
  readonly config: FastifyContextConfig
  readonly requestId: string
  readonly startedMs = performance.now()
  /** Names and values in turn: see `addHeader`. */
  readonly head: string[]
  errorCode: string | null = null
  span: Span | null = null
  #incoming: string | undefined
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
   * A span exists only when the dice, or a caller we trust, decided to record this trace: anybody
   * else could make us record every request.
   */
  beginTrace(tracer: Tracer, caller: { traceparent: string | undefined; trusted: boolean }): void {
    const { traceparent, trusted } = caller
    const parent = parseTraceparent(traceparent)
    const recorded = parent !== null && trusted ? parent.sampled : tracer.shouldSample()
    if (!recorded) {
      this.#incoming = traceparent
      return
    }
    const { route, method } = this.series
    this.span = tracer.startSpan(`${method} ${route}`, parent && { ...parent, sampled: true }, {
      role: 'server',
      attributes: { 'http.request.method': method, 'http.route': route },
    })
    this.#trace = this.span.trace
  }

  get trace(): TraceContext {
    this.#trace ??= continueTrace(this.#incoming)
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

  /** Runs once, when the answer is out or the client is gone. */
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

function continueTrace(traceparent: string | undefined): TraceContext {
  const parent = parseTraceparent(traceparent)
  return parent === null ? newTrace() : childOf({ ...parent, sampled: false })
}

/** The path without the query, which may hold a token (D4). */
export function pathOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '/'
  const end = url.search(/[?#]/)
  return (end === -1 ? url : url.slice(0, end)).slice(0, 512)
}
