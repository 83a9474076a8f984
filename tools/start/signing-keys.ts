import {
  createPrivateKey,
  createPublicKey,
  hash,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'

/** The PKCS #8 header of an Ed25519 private key (RFC 8410 §7); the 32 bytes of the key follow. */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex')
const KID_LENGTH = 8

/** An Ed25519 key as a JSON Web Key, always the same for the same secret. */
export function privateKeyOf(secret: string): string {
  const key = keyOf(secret)
  return JSON.stringify({ ...key.export({ format: 'jwk' }), kid: kidOf(key) })
}

/** What verifies the signatures of that key, as a JSON Web Key Set. */
export function publicKeysOf(secret: string): string {
  const key = keyOf(secret)
  return JSON.stringify({ keys: [{ ...publicPart(key), kid: kidOf(key) }] })
}

function keyOf(secret: string): KeyObject {
  const seed = hash('sha256', secret, 'buffer')
  return createPrivateKey({
    key: Buffer.concat([PKCS8_HEADER, seed]),
    format: 'der',
    type: 'pkcs8',
  })
}

function publicPart(key: KeyObject): JsonWebKey {
  return createPublicKey(key).export({ format: 'jwk' })
}

function kidOf(key: KeyObject): string {
  return hash('sha256', String(publicPart(key).x), 'base64url').slice(0, KID_LENGTH)
}
