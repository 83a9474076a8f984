import type { FieldError, ProblemCode, ProblemDocument } from '@melmastoon/domain'

export interface ApiProblemContext {
  readonly status: number
  /** To be sent again with the same request when it is retried manually. */
  readonly idempotencyKey: string | null
}

/**
 * Any response other than a success, as described by the service (RFC 9457) or, failing that, by
 * its status.
 */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly code: string
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly errors: readonly FieldError[]
  readonly requestId: string | null
  /** The same request may succeed later. */
  readonly retriable: boolean
  readonly retryAfterSeconds: number | null
  readonly userMessageKey: string
  readonly idempotencyKey: string | null
  /** As received, with the members that only some codes have, such as `challenge`. */
  readonly document: Readonly<Record<string, unknown>>

  constructor(document: Partial<ProblemDocument>, context: ApiProblemContext) {
    const code = document.code ?? UNEXPLAINED
    super(`${context.status} ${code}`)
    this.code = code
    this.status = context.status
    this.title = document.title ?? `HTTP ${context.status}`
    this.detail = document.detail ?? this.title
    this.errors = document.errors ?? []
    this.requestId = document.requestId ?? null
    this.retriable = document.retriable ?? PASSING_STATUSES.has(context.status)
    this.retryAfterSeconds = document.retryAfter ?? null
    this.userMessageKey = document.userMessageKey ?? 'errors.general.internal'
    this.idempotencyKey = context.idempotencyKey
    this.document = document
  }

  is(code: ProblemCode): boolean {
    return this.code === code
  }
}

/** The code of a response created by an intermediary, such as a proxy. */
export const UNEXPLAINED = 'UNEXPLAINED'
const PASSING_STATUSES = new Set([408, 429, 502, 503, 504])

export function isApiProblem(value: unknown): value is ApiProblem {
  return value instanceof ApiProblem
}
