import { randomHex } from './random-bytes.ts'

/** Passed along by hand, from the request to whatever it causes: no ambient context. */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly sampled: boolean
}

const ALL_ZERO = /^0+$/
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * W3C Trace Context §3.2. Null for anything that is not well formed; the caller then starts a new
 * trace, as §4.2 asks. Versions above 00 may carry more fields after the four known ones.
 */
export function parseTraceparent(header: string | undefined): TraceContext | null {
  if (header === undefined || header.length < 55 || header.length > 512) return null
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header) ?? []
  if (version === undefined || traceId === undefined || spanId === undefined) return null
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags ?? '00', 16) & 1) === 1 }
}

export function renderTraceparent(trace: TraceContext): string {
  return `00-${trace.traceId}-${trace.spanId}-${trace.sampled ? '01' : '00'}`
}

export function newTrace(sampled = false): TraceContext {
  return { traceId: randomHex(16), spanId: randomHex(8), sampled }
}

/** A span of our own inside a trace that is not recorded. */
export function childOf(trace: TraceContext): TraceContext {
  return { traceId: trace.traceId, spanId: randomHex(8), sampled: trace.sampled }
}
