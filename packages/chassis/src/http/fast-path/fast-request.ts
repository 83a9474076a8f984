import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { LimitDecision } from '../../limits/index.ts'
import { parseTraceHeaders, type TraceContext } from '../../telemetry/index.ts'
import { type Encoding, encodingsFor } from '../negotiation.ts'
import { continueTrace, STANDARD_HEAD } from '../request-state.ts'
import { requestIdOf } from '../server-options.ts'
import { clientAddresses } from './client-addresses.ts'

/** The parts of a request that its route has validated before; equal requests share one. */
export interface ValidatedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** A request that may have a ready response, with the same values as Fastify's request. */
export class FastRequest {
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  readonly input: ValidatedInput
  readonly startedMs = performance.now()
  readonly encodings: readonly Encoding[]
  /** Only defined where a proxy is trusted. */
  readonly ips: readonly string[] | undefined
  readonly ip: string
  /** Response headers, names and values alternating. */
  readonly head: string[]
  /** Set once a limit has counted this request: Fastify does not count it again. */
  limit: LimitDecision | undefined
  /** Whether bot detection has counted this request. */
  isCounted = false
  /** Whether its trace is recorded; decided once. */
  isSampled = false
  #trace: TraceContext | null = null
  readonly id: string

  constructor(raw: IncomingMessage, input: ValidatedInput, trustProxyHops: number) {
    this.raw = raw
    this.headers = raw.headers
    this.input = input
    this.encodings = encodingsFor(raw.headers)
    this.ips = trustProxyHops === 0 ? undefined : clientAddresses(raw, trustProxyHops)
    this.ip = this.ips?.at(-1) ?? raw.socket.remoteAddress ?? ''
    this.id = requestIdOf(raw)
    this.head = [...STANDARD_HEAD, 'x-request-id', this.id]
  }

  /** As `addHeader` does for a reply. */
  addHeader(name: string, value: string): void {
    this.head.push(name, value)
  }

  get trace(): TraceContext {
    this.#trace ??= { ...continueTrace(this.headers), requestId: this.id }
    return this.#trace
  }

  get parentTrace(): TraceContext | null {
    return this.headers['traceparent'] === undefined ? null : parseTraceHeaders(this.headers)
  }
}

/** Requests without a ready response, with the decisions that were made already. */
const declined = new WeakMap<IncomingMessage, FastRequest>()

export function handOver(request: FastRequest): void {
  declined.set(request.raw, request)
}

/** What the fast path decided about a request before it declined it. */
export function decidedFor(raw: IncomingMessage): FastRequest | undefined {
  return declined.get(raw)
}
