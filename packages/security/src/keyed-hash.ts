import { type BinaryLike, createHmac, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import type { KeyRing } from './key-ring.ts'

/**
 * Identifiers in events and logs (D13): `sha256:` + HMAC-SHA-256 under the pepper of the
 * environment. The pepper rotates yearly; while two are active, lookups try all candidates.
 */
export class KeyedHash {
  readonly #peppers: KeyRing

  constructor(peppers: KeyRing) {
    this.#peppers = peppers
  }

  get pepperVersion(): string {
    return this.#peppers.active.id
  }

  hash(value: string): string {
    return digest(this.#peppers.active.key, value)
  }

  /** The current hash first, then those under the other active peppers. */
  candidates(value: string): string[] {
    return this.#peppers.verifying.map((pepper) => digest(pepper.key, value))
  }

  /**
   * All clients without an address (the connection is closed, or a proxy sends `unknown`) share one
   * value.
   */
  hashAddress(address: string | undefined, ipv6PrefixBits: 48 | 64 = 64): string {
    return this.hash(isAddress(address) ? networkOf(address, ipv6PrefixBits) : NO_ADDRESS)
  }
}

function digest(key: KeyObject, value: string): string {
  return `sha256:${createHmac('sha256', key).update(value).digest('hex')}`
}

const NO_ADDRESS = 'no address'

function isAddress(address: string | undefined): address is string {
  return address !== undefined && isIP(withoutZone(address)) !== 0
}

function withoutZone(address: string): string {
  const [plain = ''] = address.split('%', 1)
  return plain
}

/**
 * One value per subscriber: IPv4 whole (also when mapped into IPv6), IPv6 cut to its /64, because
 * devices change the lower half at will. A /48 is a site, which may have 65,536 such networks.
 */
export function networkOf(address: string, ipv6PrefixBits: 48 | 64 = 64): string {
  const plain = withoutZone(address)
  const family = isIP(plain)
  if (family === 4) return plain
  if (family !== 6) throw new TypeError('not an IP address')
  const groups = expandGroups(plain)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return dottedQuad(groups[6] ?? 0, groups[7] ?? 0)
  }
  const network = groups.slice(0, ipv6PrefixBits / 16).map((group) => group.toString(16))
  return `${network.join(':')}::/${ipv6PrefixBits}`
}

function expandGroups(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const left = parseGroups(head)
  if (tail === undefined) return left
  const right = parseGroups(tail)
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0)
  return [...left, ...zeros, ...right]
}

function parseGroups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

function dottedQuad(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * The same parts always give the same key, other parts another one: a retry reaches an upstream
 * service with the key of the first attempt (D8). The parts are joined as JSON, so that they cannot
 * run into each other.
 */
export function derivedKey(secret: BinaryLike | KeyObject, ...parts: readonly string[]): string {
  if (parts.length === 0) throw new TypeError('derivedKey needs at least one part')
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')
}
