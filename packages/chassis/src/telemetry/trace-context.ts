import { randomHex } from './random-bytes.ts'

/** Passed explicitly from the request to everything it causes: there is no ambient context. */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly sampled: boolean
  /** Data of other tracing systems, sent on unchanged. */
  readonly tracestate?: string
  /** The id of the request that began this work here. */
  readonly requestId?: string
}

const ALL_ZERO = /^0+$/
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * W3C Trace Context §3.2. Null for a header that is not well formed, such as two header lines; the
 * caller then starts a new trace (§4.2). Versions above 00 may carry more fields after the four
 * known ones.
 */
export function parseTraceparent(header: string | undefined): TraceContext | null {
  if (header === undefined || header.length < 55 || header.length > 512) return null
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header) ?? []
  if (version === undefined || traceId === undefined || spanId === undefined) return null
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags ?? '00', 16) & 1) === 1 }
}

/** The headers of a request, as Node delivers them: several lines are joined by commas. */
export type TraceHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The context of a caller: an invalid `traceparent` invalidates `tracestate`, not vice versa. */
export function parseTraceHeaders(headers: TraceHeaders): TraceContext | null {
  const { traceparent, tracestate: given } = headers
  const trace = traceparent === undefined ? null : parseTraceparent(String(traceparent))
  if (trace === null || given === undefined) return trace
  const tracestate = parseTracestate(String(given))
  return tracestate === undefined ? trace : { ...trace, tracestate }
}

const KEY = '[a-z0-9][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}'
const VALUE = '[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]'
const MEMBER = new RegExp(`^(${KEY})=${VALUE}$`)
const MEMBERS_MAX = 32
/** §3.3.1.5: at least this much is sent on; beyond it, long members are removed first. */
const TRACESTATE_LENGTH_MAX = 512
const LONG_MEMBER_LENGTH = 128

/** §3.3: undefined when empty or when any member is invalid, because a part could mislead. */
function parseTracestate(header: string): string | undefined {
  const members = header
    .split(',')
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((member) => member !== '')
  if (members.length === 0 || members.length > MEMBERS_MAX) return undefined
  const keys = new Set(members.map((member) => MEMBER.exec(member)?.[1]))
  if (keys.has(undefined) || keys.size < members.length) return undefined
  return shorten(members).join(',') || undefined
}

function shorten(members: readonly string[]): readonly string[] {
  if (members.join(',').length <= TRACESTATE_LENGTH_MAX) return members
  const long = members.findLastIndex(({ length }) => length > LONG_MEMBER_LENGTH)
  return shorten(members.toSpliced(long === -1 ? members.length - 1 : long, 1))
}

export function renderTraceparent(trace: TraceContext): string {
  return `00-${trace.traceId}-${trace.spanId}-${trace.sampled ? '01' : '00'}`
}

export function newTrace(sampled = false): TraceContext {
  return { traceId: randomHex(16), spanId: randomHex(8), sampled }
}

/** A span of our own inside a trace that is not recorded. */
export function childOf(trace: TraceContext): TraceContext {
  return { ...trace, spanId: randomHex(8) }
}
