import type { FieldError, ProblemCode, ProblemDocument } from '@melmastoon/domain'

export interface ApiProblemContext {
  readonly status: number
  /** To be sent again with the same request, if it is tried again by hand. */
  readonly idempotencyKey: string | null
}

/** Anything but a success, as the service explained it (RFC 9457) or as well as can be told. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly code: string
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly errors: readonly FieldError[]
  readonly requestId: string | null
  /** The very same request may succeed later. */
  readonly retriable: boolean
  readonly retryAfterSeconds: number | null
  readonly userMessageKey: string
  readonly idempotencyKey: string | null

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
  }

  is(code: ProblemCode): boolean {
    return this.code === code
  }
}

/** The code of an answer that something between us and the service made. */
export const UNEXPLAINED = 'UNEXPLAINED'
const PASSING_STATUSES = new Set([408, 429, 502, 503, 504])

export function isApiProblem(value: unknown): value is ApiProblem {
  return value instanceof ApiProblem
}
