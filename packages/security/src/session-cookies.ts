import { type Id, type IdPrefix, isId } from '@melmastoon/domain'
import { equalText } from './bytes.ts'
import type { KeyRing } from './key-ring.ts'
import { derivedKey } from './keyed-hash.ts'

/** Separates these digests from others made with the same key. */
const PURPOSE = 'session-cookie'
/** 43 characters of which the last carries four bits: one text for each secret. */
const SECRET = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
/** Longer than any cookie value issued here: a prefixed id, a key id and the secret. */
const VALUE_MAX = 192

/**
 * Cookie values of sessions: `<session id>.<key id>.<secret>`. The secret is
 * HMAC-SHA-256(key, session id, tenant id or empty, key id), so a value is verified without a
 * store (D25), and neither a session id from an event nor a dump of a store is a cookie (D3).
 */
export class SessionCookies<P extends IdPrefix> {
  readonly #keys: KeyRing
  readonly #prefix: P

  constructor(keys: KeyRing, prefix: P) {
    this.#keys = keys
    this.#prefix = prefix
  }

  /** With the active key: issuing it again after a rotation moves a session to the new key. */
  issue(id: Id<P>, tenantId = ''): string {
    const { id: keyId, key } = this.#keys.active
    return `${id}.${keyId}.${derivedKey(key, PURPOSE, id, tenantId, keyId)}`
  }

  /** Null for anything that this ring has not issued for this tenant, or no longer verifies. */
  verify(value: unknown, tenantId = ''): Id<P> | null {
    if (typeof value !== 'string' || value.length > VALUE_MAX) return null
    const [id, keyId = '', secret = '', ...rest] = value.split('.')
    if (rest.length > 0 || !isId(this.#prefix, id) || !SECRET.test(secret)) return null
    const key = this.#keys.verifying.find((candidate) => candidate.id === keyId)
    if (key === undefined) return null
    return equalText(derivedKey(key.key, PURPOSE, id, tenantId, keyId), secret) ? id : null
  }
}
