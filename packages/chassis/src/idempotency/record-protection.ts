import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { KeyRing } from '@melmastoon/security'

/** An encrypted column: `<key id>.<base64url of nonce, tag and ciphertext>`. */
export interface Sealed {
  readonly sealed: string
}

/** Where a text belongs: it can be opened nowhere else. */
export interface SealScope {
  /** The stored form of the scope of a key. */
  readonly key: string
  readonly column: 'response' | 'recovery_data'
}

/**
 * What rows contain about a request and its response, unreadable without the keys of the service: a
 * copy of the table or of Redis reveals no personal data.
 */
export interface RecordProtection {
  /** Keyed, so that a guessed request cannot be compared with it; differs between scopes. */
  requestHash(key: string, version: number, fingerprint: string): string
  seal(scope: SealScope, text: string): Sealed
  /** @throws Error if it was changed, moved, or encrypted with a key that is no longer known. */
  open(scope: SealScope, sealed: Sealed): string
}

export interface RecordProtectionOptions {
  readonly secret: Buffer
  /** Rotated independently of the secret. Without it, one key is derived from the secret. */
  readonly keys?: KeyRing | undefined
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** No key of a ring can have this id. */
const DERIVED_KEY_ID = '_'
/** Hashes of version 1 were stored without a key; such rows are read until they expire. */
const LAST_UNKEYED_VERSION = 1

export function createRecordProtection(options: RecordProtectionOptions): RecordProtection {
  const { secret, keys } = options
  const hashKey = derivedFrom(secret, 'idempotency request hash')
  const fallback = { id: DERIVED_KEY_ID, key: derivedFrom(secret, 'idempotency record') }
  const active = keys?.active ?? fallback
  const known = new Map([fallback, ...(keys?.verifying ?? [])].map(({ id, key }) => [id, key]))
  return {
    requestHash(key, version, fingerprint) {
      if (version <= LAST_UNKEYED_VERSION) return fingerprint
      return createHmac('sha256', hashKey).update(`${key}\u0000${fingerprint}`).digest('base64url')
    },
    seal: (scope, text) => ({ sealed: `${active.id}.${encrypt(active.key, scope, text)}` }),
    open(scope, { sealed }) {
      const dot = sealed.indexOf('.')
      const key = known.get(sealed.slice(0, dot))
      if (key === undefined) throw new Error('a stored record has an unknown key')
      return decrypt(key, scope, sealed.slice(dot + 1))
    },
  }
}

export function isSealed(value: unknown): value is Sealed {
  return (
    typeof value === 'object' &&
    value !== null &&
    'sealed' in value &&
    typeof value.sealed === 'string'
  )
}

function encrypt(ringKey: KeyObject, scope: SealScope, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, recordKey(ringKey, scope), nonce)
  cipher.setAAD(associatedData(scope))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

function decrypt(ringKey: KeyObject, scope: SealScope, text: string): string {
  const bytes = Buffer.from(text, 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv(CIPHER, recordKey(ringKey, scope), nonce, options)
  decipher.setAAD(associatedData(scope))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const encrypted = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  return decipher.update(encrypted, undefined, 'utf8') + decipher.final('utf8')
}

/** One key per scope: random nonces of one key are safe for 2^32 records only. */
function recordKey(ringKey: KeyObject, { key }: SealScope): Buffer {
  return createHmac('sha256', ringKey).update(`idempotency record\u0000${key}`).digest()
}

function associatedData({ key, column }: SealScope): Buffer {
  return Buffer.from(`${column}\u0000${key}`)
}

function derivedFrom(secret: Buffer, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES)))
}
