import { createHmac, hash, type KeyObject } from 'node:crypto'

/** RFC 9449 §11.1. Implementations live where the stores do; when in doubt they refuse (D22). */
export interface ReplayStore {
  /** True the first time a key is seen within `ttlMs`, then false; atomic across instances. */
  remember(key: string, ttlMs: number): Promise<boolean>
}

/** A `jti` counts once for each key and target URI. */
export function replayKey(proof: { jkt: string; htu: string; jti: string }): string {
  return hash('sha256', JSON.stringify([proof.jkt, proof.htu, proof.jti]), 'base64url')
}

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
