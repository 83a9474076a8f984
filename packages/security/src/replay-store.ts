import { hash } from 'node:crypto'

/** RFC 9449 §11.1. Implementations live where the stores do; when in doubt they refuse (D22). */
export interface ReplayStore {
  /** True the first time a key is seen within `ttlMs`, then false; atomic across instances. */
  remember(key: string, ttlMs: number): Promise<boolean>
}

/** A `jti` counts once for each key and target URI. */
export function replayKey(proof: { jkt: string; htu: string; jti: string }): string {
  return hash('sha256', JSON.stringify([proof.jkt, proof.htu, proof.jti]), 'base64url')
}
