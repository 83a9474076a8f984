import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { ecdsaToDer } from './ecdsa-der.ts'

/** `Ed25519` is the newer name of `EdDSA` with that curve (RFC 9864); clients send either. */
export type ProofAlgorithm = 'ES256' | 'EdDSA' | 'Ed25519' | 'RS256'

/** A public key of a proof: identified by its RFC 7638 thumbprint, imported when first needed. */
export interface ProofJwk {
  readonly alg: ProofAlgorithm
  readonly jkt: string
  readonly jwk: Readonly<Record<string, string>>
}

/** 32 bytes in base64url; also the size of a P-256 coordinate and of an Ed25519 key. */
const BYTES_32 = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
/** 2048 to 4096 bits: shorter keys are breakable, longer ones cost too much time to verify. */
const RSA_MODULUS = /^[A-Za-z0-9_-]{342,683}$/
const RSA_MODULUS_MIN_BITS = 2048
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

type KeyShape = readonly (readonly [string, RegExp])[]

const ED25519: KeyShape = [
  ['crv', /^Ed25519$/],
  ['kty', /^OKP$/],
  ['x', BYTES_32],
]

/** Members in the lexical order that the thumbprint needs (RFC 7638 §3.2), with their rules. */
const KEY_SHAPES: Readonly<Record<ProofAlgorithm, KeyShape>> = {
  ES256: [
    ['crv', /^P-256$/],
    ['kty', /^EC$/],
    ['x', BYTES_32],
    ['y', BYTES_32],
  ],
  EdDSA: ED25519,
  Ed25519: ED25519,
  RS256: [
    ['e', /^AQAB$/],
    ['kty', /^RSA$/],
    ['n', RSA_MODULUS],
  ],
}

/** Null unless `jwk` is a public key of the kind that `alg` (allow-listed) uses. */
export function readProofJwk(alg: unknown, jwk: unknown): ProofJwk | null {
  if (typeof alg !== 'string' || !Object.hasOwn(KEY_SHAPES, alg)) return null
  if (typeof jwk !== 'object' || jwk === null) return null
  if (PRIVATE_MEMBERS.some((name) => name in jwk)) return null
  const algorithm = alg as ProofAlgorithm
  const members: Record<string, string> = {}
  for (const [name, pattern] of KEY_SHAPES[algorithm]) {
    const value = (jwk as Record<string, unknown>)[name]
    if (typeof value !== 'string' || !pattern.test(value)) return null
    members[name] = value
  }
  return { alg: algorithm, jkt: hash('sha256', JSON.stringify(members), 'base64url'), jwk: members }
}

/** Null when the numbers do not form a valid key: a point off the curve, a short modulus. */
export function importProofKey({ alg, jwk }: ProofJwk): KeyObject | null {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const bits = key.asymmetricKeyDetails?.modulusLength ?? RSA_MODULUS_MIN_BITS
    return alg === 'RS256' && bits < RSA_MODULUS_MIN_BITS ? null : key
  } catch {
    return null
  }
}

export function verifySignature(
  alg: ProofAlgorithm,
  key: KeyObject,
  signed: { readonly input: Buffer; readonly signature: Buffer },
): boolean {
  const { input, signature } = signed
  switch (alg) {
    case 'ES256': {
      const der = ecdsaToDer(signature)
      return der !== null && verify('sha256', input, key, der)
    }
    case 'EdDSA':
    case 'Ed25519':
      return verify(null, input, key, signature)
    case 'RS256':
      return verify('sha256', input, key, signature)
  }
}
