import { PROBLEMS, type ProblemCode } from '@melmastoon/domain'

/**
 * Statuses a rejection may be final with. Validation (400, 413, 415), identity (401, 403), rate
 * (408, 429) and server errors (5xx) are not final: the request may be sent again.
 */
const FINAL_STATUSES: ReadonlySet<number> = new Set([402, 404, 409, 410, 412, 422])

/** A state of the hotel, although its status is one of identity. */
const SUSPENDED: ProblemCode = 'MELMASTOON.TENANT.SUSPENDED'

/** Codes of this module itself: the state of a key is not the outcome of its request. */
const OWN_PREFIX = 'MELMASTOON.IDEMPOTENCY.'

/** Whether an outcome is replayed to every later request with this key (D8). */
export function isStorable(
  status: number,
  code?: ProblemCode,
  finalRejections: ReadonlySet<ProblemCode> = new Set(),
): boolean {
  if (code === undefined) return status >= 200 && status < 300
  return finalRejections.has(code) && canBeFinal(code)
}

/** Checked when a route is built, so that a wrong declaration fails at start-up. */
export function finalRejectionSet(codes: readonly ProblemCode[]): ReadonlySet<ProblemCode> {
  const wrong = codes.find((code) => !canBeFinal(code))
  if (wrong !== undefined) throw new TypeError(`${wrong} cannot be a final rejection`)
  return new Set(codes)
}

/** The codes of an operation that are final by their status, and those it declares besides. */
export function finalAmong(
  codes: readonly ProblemCode[],
  declared: readonly ProblemCode[] = [],
): readonly ProblemCode[] {
  return codes.filter((code) => hasFinalStatus(code) || declared.includes(code))
}

function canBeFinal(code: ProblemCode): boolean {
  return code === SUSPENDED || hasFinalStatus(code)
}

function hasFinalStatus(code: ProblemCode): boolean {
  const { status, retriable } = PROBLEMS[code]
  if (code === 'MELMASTOON.GENERAL.VALIDATION_FAILED' || code.startsWith(OWN_PREFIX)) return false
  return !retriable && FINAL_STATUSES.has(status)
}
