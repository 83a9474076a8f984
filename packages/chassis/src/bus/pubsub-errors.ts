import type { PublishOutcome } from './event-bus.ts'

/**
 * gRPC codes that concern the message itself: INVALID_ARGUMENT, FAILED_PRECONDITION and
 * OUT_OF_RANGE. Everything else (no connection, no quota, a missing permission or topic) is an
 * outage: a wrong configuration must not use up the attempts of valid events.
 */
const REJECTED = new Set([3, 9, 11])
const ALREADY_EXISTS = 6
const NOT_FOUND = 5

export function publishFailure(error: unknown): PublishOutcome {
  const reason = error instanceof Error ? error.message : String(error)
  const kind = REJECTED.has(codeOf(error) ?? -1) ? 'rejected' : 'unavailable'
  return { ok: false, kind, reason }
}

export const isAlreadyExists = (error: unknown) => codeOf(error) === ALREADY_EXISTS
export const isNotFound = (error: unknown) => codeOf(error) === NOT_FOUND

function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'number' ? error.code : undefined
}
