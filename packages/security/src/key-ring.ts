import { createSecretKey, type KeyObject } from 'node:crypto'
import { inspect } from 'node:util'
import { decodeBase64url } from './bytes.ts'

/**
 * `active` signs and verifies. `known` verifies only: a verifier receives a key before the minter
 * uses it. `grace` verifies only: tokens of the last active key stay valid. `retired` does neither,
 * its id stays reserved.
 */
export type KeyState = 'active' | 'grace' | 'known' | 'retired'

export interface RingKey {
  readonly id: string
  readonly state: KeyState
  /**
   * A key object is created once: `createHmac` with raw bytes would create a new one for each call.
   */
  readonly key: KeyObject
}

const STATES: ReadonlySet<string> = new Set(['active', 'grace', 'known', 'retired'])
const KEY_ID = /^[a-z0-9][a-z0-9-]{0,63}$/
/** As long as the output of SHA-256 (RFC 2104 §3). */
const KEY_MIN_BYTES = 32
/** Every verifying key costs one HMAC per check, so the ring stays small. */
const KEYS_MAX = 8

/** Never prints its keys. */
export class KeyRing {
  readonly active: RingKey
  /** Keys that verify, the active one first. */
  readonly verifying: readonly RingKey[]

  constructor(keys: readonly RingKey[]) {
    checkKeys(keys)
    const active = keys.find((key) => key.state === 'active')
    if (active === undefined) throw new TypeError('key ring: exactly one key must be active')
    const others = keys.filter((key) => key.state === 'grace' || key.state === 'known')
    this.active = active
    this.verifying = [active, ...others]
  }

  /** @param text `id:state:base64url` entries joined by commas, as configuration holds it. */
  static parse(text: string): KeyRing {
    return new KeyRing(text.split(',').map(parseKey))
  }

  toJSON(): string {
    return '[redacted]'
  }

  [inspect.custom](): string {
    return 'KeyRing [redacted]'
  }
}

function parseKey(entry: string, index: number): RingKey {
  const [id = '', state = '', secret = '', ...rest] = entry.trim().split(':')
  const key = decodeBase64url(secret)
  if (rest.length > 0 || !key?.length || !STATES.has(state)) {
    throw new TypeError(`key ring: entry ${index + 1} must be id:state:base64url`)
  }
  return { id, key: createSecretKey(key), state: state as KeyState }
}

function checkKeys(keys: readonly RingKey[]): void {
  const mistakes = [
    keys.length > KEYS_MAX && `more than ${KEYS_MAX} keys`,
    keys.filter((key) => key.state === 'active').length !== 1 && 'exactly one key must be active',
    keys.some((key) => !KEY_ID.test(key.id)) && 'a key id is not valid',
    keys.some((key) => (key.key.symmetricKeySize ?? 0) < KEY_MIN_BYTES) &&
      `a key is under ${KEY_MIN_BYTES} bytes`,
    new Set(keys.map((key) => key.id)).size < keys.length && 'a key id is repeated',
    hasRepeatedKey(keys) && 'a key is repeated',
  ].filter((mistake) => mistake !== false)
  if (mistakes.length > 0) throw new TypeError(`key ring: ${mistakes.join('; ')}`)
}

function hasRepeatedKey(keys: readonly RingKey[]): boolean {
  return keys.some((a, index) => keys.slice(index + 1).some((b) => a.key.equals(b.key)))
}
