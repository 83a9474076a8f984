import { type Problem, problem } from '@melmastoon/domain'
import type { UpstreamRejection } from './upstream-request.ts'

type FailureKind =
  | 'connection'
  | 'timeout'
  | 'server-error'
  | 'contract'
  | 'rejected'
  | 'busy'
  | 'open-circuit'
  | 'cancelled'

/** A fault of the upstream itself; these count for the breaker, except those we cause ourselves. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly upstream: string
  readonly kind: FailureKind

  constructor(upstream: string, kind: FailureKind, cause?: unknown) {
    super(`${upstream}: ${kind}`, { cause })
    this.upstream = upstream
    this.kind = kind
  }
}

const COUNTED: ReadonlySet<FailureKind> = new Set(['connection', 'timeout', 'server-error'])
/** A time-out or no response: the same call may succeed on another connection. */
const REPEATABLE: ReadonlySet<FailureKind> = new Set(['connection', 'server-error', 'timeout'])

export function countsForBreaker(error: unknown): boolean {
  return error instanceof UpstreamFailure && COUNTED.has(error.kind)
}

export function isRepeatable(error: unknown): boolean {
  return error instanceof UpstreamFailure && REPEATABLE.has(error.kind)
}

/** The caller learns which kind of trouble it is, never which host or what it said. */
export function fromUpstreamFailure(failure: UpstreamFailure): Problem {
  switch (failure.kind) {
    case 'timeout':
    case 'cancelled':
      return problem('MELMASTOON.BFF.UPSTREAM_TIMEOUT', { cause: failure })
    case 'contract':
      return problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN', { cause: failure })
    case 'rejected':
      return problem('MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED', { cause: failure })
    case 'connection':
    case 'server-error':
    case 'busy':
    case 'open-circuit':
      return problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE', { cause: failure })
  }
}

/**
 * For an error response that the caller of the upstream cannot explain: our own request was wrong
 * or not permitted. It has a code of its own, because neither the client nor the upstream is at
 * fault.
 */
export function fromUpstreamRefusal(refusal: UpstreamRejection): Problem {
  return problem('MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED', { cause: refusal })
}
