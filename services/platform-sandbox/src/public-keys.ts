import type { Setting } from '@melmastoon/chassis/config'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

const KEYS_MAX = 10

const KeySet = Type.Object({
  keys: Type.Array(
    Type.Object(
      {
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        x: Type.String({ pattern: '^[\\w-]{43}$' }),
        kid: Type.String({ minLength: 1, maxLength: 64 }),
        alg: Type.Optional(Type.String()),
        use: Type.Optional(Type.String()),
      },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: KEYS_MAX },
  ),
})

const keySet = Compile(KeySet)

export interface PublicKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
}

/** A JSON Web Key Set of Ed25519 public keys (RFC 8037); empty when the variable is not set. */
export function envPublicKeys(variable: string): Setting<readonly PublicKey[]> {
  return {
    read(env) {
      const raw = env.placeholders ? undefined : env.get(variable)
      if (raw === undefined) return []
      const parsed = parseJson(raw)
      if (keySet.Check(parsed)) return parsed.keys
      env.problem(variable, 'must be a JSON Web Key Set of Ed25519 public keys')
      return []
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
