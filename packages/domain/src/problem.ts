import { PROBLEMS, type ProblemCode, type UserMessageKey } from './problems.ts'

export interface FieldError {
  /** RFC 6901 pointer into the request body, or `/query/…`, `/params/…`, `/headers/…`. */
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

export interface ProblemOptions {
  readonly detail?: string | undefined
  readonly errors?: readonly FieldError[] | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The text for the user where that of the code is too general. */
  readonly userMessageKey?: UserMessageKey | undefined
  readonly cause?: unknown
  /** Extra members of the document (RFC 9457 §3.2); they never replace a standard member. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** An expected failure that is reported to the caller. Programming errors are plain TypeErrors. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly retriable: boolean
  readonly userMessageKey: UserMessageKey
  readonly retryAfterSeconds: number | undefined
  readonly errors: readonly FieldError[] | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly extensions: Readonly<Record<string, unknown>> | undefined
  /** Whether the response contains `detail`: details of internal errors are for the log only. */
  readonly expose: boolean

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    const entry = PROBLEMS[code]
    if (entry === undefined) throw new TypeError(`unknown problem code ${String(code)}`)
    const detail = options.detail ?? entry.title
    super(`${code}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = entry.status
    this.title = entry.title
    this.detail = detail
    this.retriable = entry.retriable
    this.userMessageKey = options.userMessageKey ?? entry.userMessageKey
    this.retryAfterSeconds = options.retryAfterSeconds ?? entry.retryAfterSeconds
    this.errors = options.errors
    this.headers = options.headers
    this.extensions = options.extensions
    this.expose = entry.status < 500
  }
}

export function problem(code: ProblemCode, options?: ProblemOptions): Problem {
  return new Problem(code, options)
}

export function fieldError(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail }
}

/** @throws Problem VALIDATION_FAILED with all errors, if there are any. */
export function throwIfInvalid(
  errors: readonly FieldError[],
  userMessageKey?: UserMessageKey,
): void {
  if (errors.length === 0) return
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors, userMessageKey })
}

export function isProblem(value: unknown): value is Problem {
  return value instanceof Problem
}

export interface ProblemContext {
  readonly instance: string
  readonly requestId: string
  readonly traceId: string
}

export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: ProblemCode
  readonly errors?: readonly FieldError[]
  readonly requestId: string
  readonly traceId: string
  readonly retriable: boolean
  readonly retryAfter: number | null
  readonly userMessageKey: string
  readonly [extension: string]: unknown
}

/** The `application/problem+json` body (RFC 9457 §3). */
export function problemDocument(failure: Problem, context: ProblemContext): ProblemDocument {
  const entry = PROBLEMS[failure.code]
  return {
    ...failure.extensions,
    type: entry.type,
    title: failure.title,
    status: failure.status,
    detail: failure.expose ? failure.detail : failure.title,
    instance: context.instance,
    code: failure.code,
    ...(failure.errors !== undefined && { errors: failure.errors }),
    requestId: context.requestId,
    traceId: context.traceId,
    retriable: failure.retriable,
    retryAfter: failure.retryAfterSeconds ?? null,
    userMessageKey: failure.userMessageKey,
  }
}
