const ALPHABET = /^[A-Za-z0-9_-]*$/

/**
 * Strict decoding: `Buffer` skips foreign characters, takes `+/=` and ignores left-over bits, so
 * two texts could mean the same bytes. Here every byte string has exactly one text; null otherwise.
 */
export function decodeBase64url(text: string): Buffer | null {
  if (!ALPHABET.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}
