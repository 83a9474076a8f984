import { type ProblemCode, problem } from '@melmastoon/domain'
import type { Blockers } from './expiry-sql.ts'

/**
 * `short`: not enough rooms are available. `busy`: the holder, or the reservation, already holds
 * rooms. `session_full`: the session has the maximum number of holds. `expired`: the hold has
 * expired.
 */
export type RejectionReason = 'short' | 'busy' | 'session_full' | 'expired'

export interface HoldRejection {
  readonly reason: RejectionReason
  /**
   * `reclaim`: expired holds block the request. `again`: the result of a race; a retry may succeed.
   * `never`: a retry cannot succeed.
   */
  readonly remedy: 'reclaim' | 'again' | 'never'
  readonly blockers: Blockers
}

/** Thrown to roll back a transaction; caught where a retry is possible. */
export class HoldRejected extends Error {
  override readonly name = 'HoldRejected'
  readonly rejection: HoldRejection

  constructor(rejection: HoldRejection) {
    super(`rooms were rejected: ${rejection.reason}`)
    this.rejection = rejection
  }
}

export type RejectionCodes = Readonly<Record<RejectionReason, ProblemCode>>

/** The problem for the caller; other errors are returned unchanged. */
export function toRejectionProblem(error: unknown, codes: RejectionCodes): unknown {
  return error instanceof HoldRejected ? problem(codes[error.rejection.reason]) : error
}
