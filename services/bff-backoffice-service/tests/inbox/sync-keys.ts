import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto'
import { SYNC_KEY } from '../harness/backoffice-environment.ts'

/** The key set that the sync service verifies tokens with. */
export function publicSyncKeys(): string {
  const jwk = JSON.parse(SYNC_KEY) as JsonWebKey & { kid: string }
  const key = createPublicKey(createPrivateKey({ key: jwk, format: 'jwk' }))
  return JSON.stringify({ keys: [{ ...key.export({ format: 'jwk' }), kid: jwk.kid }] })
}
