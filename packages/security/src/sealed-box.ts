import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { KeyRing, RingKey } from './key-ring.ts'

/**
 * Authenticated encryption at rest: AES-256-GCM under a key ring. The active key seals; keys in
 * grace still open what they have sealed, retired ones do not.
 *
 *     version (1) | length of the key id (1) | key id | nonce (12) | ciphertext | tag (16)
 *
 * The bytes before the nonce are authenticated, and so is the context: the identity of the record
 * the box belongs to. A box that is copied to another record does not open there.
 */
const VERSION = 1
const ALGORITHM = 'aes-256-gcm'
/** Random nonces of 96 bits allow 2^32 boxes per key (NIST SP 800-38D §8.3): rotate before. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
/** A purpose of its own, so that a key shared by mistake is not used by two algorithms. */
const KEY_PURPOSE = 'melmastoon sealed box 1 aes-256-gcm'

/** One error for every cause: neither a log nor a caller learns which part did not match. */
export class SealedBoxError extends Error {
  override readonly name = 'SealedBoxError'

  constructor() {
    super('the sealed box cannot be opened')
  }
}

/** @param context identifies the record, for example tenant and row; the same parts open the box */
export function seal(ring: KeyRing, context: readonly string[], plain: Uint8Array): Buffer {
  const header = headerOf(ring.active.id)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, cipherKey(ring.active), nonce)
  cipher.setAAD(associatedData(header, context))
  const body = cipher.update(plain)
  return Buffer.concat([header, nonce, body, cipher.final(), cipher.getAuthTag()])
}

/** @throws SealedBoxError */
export function open(ring: KeyRing, context: readonly string[], box: Uint8Array): Buffer {
  const parts = splitBox(Buffer.from(box.buffer, box.byteOffset, box.byteLength))
  const key = ring.verifying.find(({ id }) => id === parts.keyId)
  if (key === undefined) throw new SealedBoxError()
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv(ALGORITHM, cipherKey(key), parts.nonce, options)
  decipher.setAAD(associatedData(parts.header, context)).setAuthTag(parts.tag)
  const body = decipher.update(parts.body)
  try {
    return Buffer.concat([body, decipher.final()])
  } catch {
    throw new SealedBoxError()
  }
}

export function sealJson(ring: KeyRing, context: readonly string[], value: unknown): Buffer {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('sealJson: the value has no JSON form')
  return seal(ring, context, Buffer.from(text))
}

/** @throws SealedBoxError */
export function openJson(ring: KeyRing, context: readonly string[], box: Uint8Array): unknown {
  const plain = open(ring, context, box)
  try {
    return JSON.parse(plain.toString())
  } catch {
    throw new SealedBoxError()
  }
}

function splitBox(box: Buffer) {
  const nonceAt = 2 + (box[1] ?? 0)
  const bodyAt = nonceAt + NONCE_BYTES
  const tagAt = box.length - TAG_BYTES
  if (box[0] !== VERSION || tagAt < bodyAt) throw new SealedBoxError()
  return {
    header: box.subarray(0, nonceAt),
    keyId: box.toString('latin1', 2, nonceAt),
    nonce: box.subarray(nonceAt, bodyAt),
    body: box.subarray(bodyAt, tagAt),
    tag: box.subarray(tagAt),
  }
}

function headerOf(keyId: string): Buffer {
  return Buffer.from([VERSION, keyId.length, ...Buffer.from(keyId, 'latin1')])
}

/** As JSON, so that the parts of a context cannot run into each other. */
function associatedData(header: Buffer, context: readonly string[]): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify(context))])
}

const cipherKeys = new WeakMap<KeyObject, KeyObject>()

/** The keys of a ring may be longer than AES-256 takes. Derived once per key. */
function cipherKey({ key }: RingKey): KeyObject {
  const known = cipherKeys.get(key)
  if (known !== undefined) return known
  const derived = createSecretKey(
    Buffer.from(hkdfSync('sha256', key, new Uint8Array(), KEY_PURPOSE, KEY_BYTES)),
  )
  cipherKeys.set(key, derived)
  return derived
}
