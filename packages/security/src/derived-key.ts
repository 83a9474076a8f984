import { type BinaryLike, createHmac, type KeyObject } from 'node:crypto'

/**
 * The same parts give the same key for ever, other parts another one: a retry reaches an upstream
 * with the key of the first attempt (D8). The parts are joined as JSON, so none runs into the next.
 */
export function derivedKey(secret: BinaryLike | KeyObject, ...parts: readonly string[]): string {
  if (parts.length === 0) throw new TypeError('derivedKey needs at least one part')
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')
}
