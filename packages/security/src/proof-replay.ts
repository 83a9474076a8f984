import { createHmac, hash, type KeyObject } from 'node:crypto'

/**
 * RFC 9449 §11.1. Implemented next to the stores; when a store fails, the proof is rejected (D22).
 */
export interface ReplayStore {
  /** True the first time a key is seen within `ttlMs`, then false; atomic across instances. */
  claim(key: string, ttlMs: number): Promise<boolean>
}

/** A `jti` is unique per key and target URI. */
export function replayKey(proof: { jkt: string; htu: string; jti: string }): string {
  return hash('sha256', JSON.stringify([proof.jkt, proof.htu, proof.jti]), 'base64url')
}

/** RFC 9449 §8: a new nonce every minute; the previous one is still accepted. */
export const PROOF_NONCE_STEP_MS = 60_000

/**
 * The valid nonces, the one to send first. They are computed from the clock, so all instances with
 * the same key agree without storing anything.
 */
export function proofNonces(key: KeyObject, now: Date): readonly [string, string] {
  const step = Math.floor(now.getTime() / PROOF_NONCE_STEP_MS)
  return [nonceOf(key, step), nonceOf(key, step - 1)]
}

function nonceOf(key: KeyObject, step: number): string {
  return createHmac('sha256', key).update(`dpop-nonce\n${step}`).digest('base64url').slice(0, 22)
}
