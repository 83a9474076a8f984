import type { TSchema } from 'typebox'
import type { Dispatcher } from 'undici'
import { renderTraceparent, type TraceContext } from '../telemetry/index.ts'
import type { UpstreamOptions } from './upstream-options.ts'
import type { UpstreamRequest } from './upstream-request.ts'

export function buildRequest(
  options: UpstreamOptions,
  call: UpstreamRequest<TSchema>,
): Dispatcher.DispatchOptions {
  const request: Dispatcher.DispatchOptions = {
    method: call.method,
    path: pathOf(options.baseUrl, call),
    headers: headersOf(options, call),
  }
  if (call.body !== undefined) request.body = JSON.stringify(call.body)
  return request
}

function pathOf(baseUrl: string, call: UpstreamRequest<TSchema>): string {
  const prefix = prefixOf(baseUrl)
  if (call.query === undefined) return prefix + call.path
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(call.query)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? prefix + call.path : `${prefix}${call.path}?${query.toString()}`
}

function headersOf(
  options: UpstreamOptions,
  call: UpstreamRequest<TSchema>,
): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', ...call.headers }
  if (call.body !== undefined) headers['content-type'] = 'application/json'
  if (call.trace !== undefined) addTraceHeaders(headers, call.trace)
  if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey
  // The upstream can stop work that can no longer be used.
  headers['x-request-deadline-ms'] = String(
    Math.floor(Math.min(options.timeoutMs, call.deadline.remainingMs())),
  )
  return Object.assign(headers, options.authorize?.())
}

/**
 * W3C Trace Context, and the id of our own request so that the logs of both sides can be joined.
 */
function addTraceHeaders(headers: Record<string, string>, trace: TraceContext): void {
  headers['traceparent'] = renderTraceparent(trace)
  if (trace.tracestate !== undefined) headers['tracestate'] = trace.tracestate
  if (trace.requestId !== undefined) headers['x-request-id'] = trace.requestId
}

const prefixes = new Map<string, string>()

/** Cached: there are as many as upstreams, and parsing a URL costs as much as ten headers. */
function prefixOf(baseUrl: string): string {
  const known = prefixes.get(baseUrl)
  if (known !== undefined) return known
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '')
  prefixes.set(baseUrl, prefix)
  return prefix
}
