import type { Static, TSchema } from 'typebox'
import type { Deadline } from '../clock/index.ts'
import type { TraceContext } from '../telemetry/index.ts'
import type { RepeatedList } from './known-parts.ts'

export interface UpstreamRequest<S extends TSchema> {
  /** A stable name for logs and metrics, `search.queries.execute`; never the path. */
  operation: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  schema: S
  /** The list of the response whose elements are often the same. */
  repeats?: RepeatedList
  deadline: Deadline
  /** Makes a mutation safe to repeat: derived, so that every retry has the same key. */
  idempotencyKey?: string
  /** Changes nothing upstream even with POST: a query may be too long for a URL. */
  readOnly?: boolean
  /** Fewer than the upstream's own, for calls that must not be repeated. */
  retries?: number
  headers?: Record<string, string>
  /** The caller's span: the call becomes its child, and the upstream continues the trace. */
  trace?: TraceContext
}

export interface UpstreamResponse<S extends TSchema> {
  value: Static<S>
  status: number
  headers: Record<string, string | string[] | undefined>
}

/**
 * The upstream rejected this request (4xx). That is not a fault of the upstream: it never opens the
 * breaker, is never repeated, and the calling feature decides what it means.
 */
export class UpstreamRejection extends Error {
  override readonly name = 'UpstreamRejection'
  readonly upstream: string
  readonly status: number
  /** The upstream's own problem code, if its response had one. */
  readonly code: string | undefined
  readonly document: unknown

  constructor(upstream: string, status: number, document: unknown) {
    super(`${upstream} rejected the request with ${status}`)
    this.upstream = upstream
    this.status = status
    this.code = problemCodeOf(document)
    this.document = document
  }
}

function problemCodeOf(document: unknown): string | undefined {
  if (typeof document !== 'object' || document === null || !('code' in document)) return undefined
  return typeof document.code === 'string' ? document.code : undefined
}
