import { createHmac, type KeyObject } from 'node:crypto'

/** RFC 9449 §8: a new nonce each minute, the one before it still accepted. */
export const PROOF_NONCE_STEP_MS = 60_000

/**
 * The nonces in force, the one to hand out first. They are computed from the clock, so all
 * instances with the same key agree without storing anything.
 */
export function proofNonces(key: KeyObject, now: Date): readonly [string, string] {
  const step = Math.floor(now.getTime() / PROOF_NONCE_STEP_MS)
  return [nonceOf(key, step), nonceOf(key, step - 1)]
}

function nonceOf(key: KeyObject, step: number): string {
  return createHmac('sha256', key).update(`dpop-nonce\n${step}`).digest('base64url').slice(0, 22)
}
