import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Setting } from '@melmastoon/chassis/config'

export interface SigningKey {
  readonly key: KeyObject
  readonly kid: string
}

/** An Ed25519 private key as a JSON Web Key with `kid` (RFC 8037). Never printed: a KeyObject. */
export function envSigningKey(variable: string): Setting<SigningKey> {
  return {
    read(env) {
      const raw = env.placeholders ? undefined : env.get(variable)
      const parsed = raw === undefined ? null : parse(raw)
      if (parsed !== null) return parsed
      const fault = raw === undefined ? 'is required' : 'must be an Ed25519 private JSON Web Key'
      if (!env.placeholders) env.problem(variable, fault)
      return { key: generateKeyPairSync('ed25519').privateKey, kid: 'placeholder' }
    },
  }
}

function parse(raw: string): SigningKey | null {
  try {
    const jwk = JSON.parse(raw) as JsonWebKey
    const key = createPrivateKey({ key: jwk, format: 'jwk' })
    if (key.asymmetricKeyType !== 'ed25519' || typeof jwk['kid'] !== 'string') return null
    return { key, kid: jwk['kid'] }
  } catch {
    return null
  }
}
