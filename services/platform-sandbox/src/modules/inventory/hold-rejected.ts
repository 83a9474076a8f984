import { type ProblemCode, problem } from '@melmastoon/domain'
import type { Blockers } from './expiry-sql.ts'

/**
 * `short`: not enough rooms are free. `busy`: the holder, or the reservation, holds rooms already.
 * `session_full`: the visit holds as much as it may. `expired`: the hold's time is over.
 */
export type RefusalReason = 'short' | 'busy' | 'session_full' | 'lapsed'

export interface HoldRefusal {
  readonly reason: RefusalReason
  /**
   * `reclaim`: holds whose time is over stand in the way. `again`: the response was a race's and a
   * fresh look may give another. `never`: it stands.
   */
  readonly remedy: 'reclaim' | 'again' | 'never'
  readonly blockers: Blockers
}

/** Thrown out of a transaction, which undoes what was taken; caught where it may be tried again. */
export class HoldRejected extends Error {
  override readonly name = 'HoldRejected'
  readonly refusal: HoldRefusal

  constructor(refusal: HoldRefusal) {
    super(`rooms were rejected: ${refusal.reason}`)
    this.refusal = refusal
  }
}

export type RefusalCodes = Readonly<Record<RefusalReason, ProblemCode>>

/** What the caller is told; everything else passes unchanged. */
export function toRefusalProblem(error: unknown, codes: RefusalCodes): unknown {
  return error instanceof HoldRejected ? problem(codes[error.refusal.reason]) : error
}
