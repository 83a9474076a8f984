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

/** A failed upstream call. Failures of the upstream itself count for the breaker. */
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
/** Timeout or no response: the same call may succeed on another connection. */
const REPEATABLE: ReadonlySet<FailureKind> = new Set(['connection', 'server-error', 'timeout'])

export function countsForBreaker(error: unknown): boolean {
  return error instanceof UpstreamFailure && COUNTED.has(error.kind)
}

export function isRepeatable(error: unknown): boolean {
  return error instanceof UpstreamFailure && REPEATABLE.has(error.kind)
}

const NOT_SENT: ReadonlySet<FailureKind> = new Set(['busy', 'open-circuit'])

/** Whether the call certainly did not leave this process; of the problem that it rejects with. */
export function wasNotSent({ cause }: Problem): boolean {
  return cause instanceof UpstreamFailure && NOT_SENT.has(cause.kind)
}

/** The client receives the kind of failure, but neither the host nor its response. */
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
 * For an error response that the caller of the upstream cannot interpret: our own request was
 * invalid or not permitted. It has a separate code, because neither the client nor the upstream
 * caused it.
 */
export function fromUpstreamRejection(rejection: UpstreamRejection): Problem {
  // An earlier attempt with the same key is still at work there: its outcome is not known yet.
  if (rejection.code === IN_FLIGHT) return problem(IN_FLIGHT, { cause: rejection })
  return problem('MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED', { cause: rejection })
}

const IN_FLIGHT = 'MELMASTOON.IDEMPOTENCY.IN_FLIGHT'
