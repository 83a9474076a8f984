import { timingSafeEqual } from 'node:crypto'

const ALPHABET = /^[A-Za-z0-9_-]*$/

/**
 * Strict decoding: `Buffer` skips invalid characters, accepts `+/=` and ignores trailing bits, so
 * two texts could decode to the same bytes. Here every byte string has exactly one text; null for
 * any other.
 */
export function decodeBase64url(text: string): Buffer | null {
  if (!ALPHABET.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}

/** `timingSafeEqual` throws on unequal lengths; the length is not secret here. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** For digests and nonces in text form. */
export function equalText(a: string, b: string): boolean {
  return a.length === b.length && equalBytes(Buffer.from(a), Buffer.from(b))
}
