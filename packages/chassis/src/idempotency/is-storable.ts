import { PROBLEMS, type ProblemCode } from '@melmastoon/domain'

/**
 * Statuses a refusal may be final with. Validation (400, 413, 415), identity (401, 403), pace (408,
 * 429) and our own failures (5xx) say nothing lasting about the request and are tried again.
 */
const FINAL_STATUSES: ReadonlySet<number> = new Set([402, 404, 409, 410, 412, 422])

/** Codes of this module itself: the state of a key is no outcome of the request it stands for. */
const OWN_PREFIX = 'MELMASTOON.IDEMPOTENCY.'

/** Whether an outcome is what every later send with this key must see (D8). */
export function isStorable(
  status: number,
  code?: ProblemCode,
  finalRefusals: ReadonlySet<ProblemCode> = new Set(),
): boolean {
  if (code === undefined) return status >= 200 && status < 300
  return finalRefusals.has(code) && canBeFinal(code)
}

/** Checked when a route is built, so that a wrong declaration never meets a request. */
export function finalRefusalSet(codes: readonly ProblemCode[]): ReadonlySet<ProblemCode> {
  const wrong = codes.find((code) => !canBeFinal(code))
  if (wrong !== undefined) throw new TypeError(`${wrong} cannot be a final refusal`)
  return new Set(codes)
}

function canBeFinal(code: ProblemCode): boolean {
  const { status, retriable } = PROBLEMS[code]
  if (code === 'MELMASTOON.GENERAL.VALIDATION_FAILED' || code.startsWith(OWN_PREFIX)) return false
  return !retriable && FINAL_STATUSES.has(status)
}
