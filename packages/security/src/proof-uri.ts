/** The characters of RFC 3986 §2; `URL` alone would drop line breaks and turn `\` into `/`. */
const HTTP_URI = /^https?:\/\/[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]{1,2000}$/i
const PERCENT = /%([0-9a-f]{2})/gi
const UNRESERVED = /^[A-Za-z0-9._~-]$/

/**
 * Scheme, authority and path after syntax- and scheme-based normalisation (RFC 3986 §6.2.2 and
 * §6.2.3), without query and fragment; null for anything but a plain http(s) URI.
 */
export function normalizeUri(text: string): string | null {
  if (!HTTP_URI.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return null
  return `${url.protocol}//${url.host}${url.pathname.replace(PERCENT, normalizePercent)}`
}

function normalizePercent(escape: string, hex: string): string {
  const character = String.fromCharCode(Number.parseInt(hex, 16))
  return UNRESERVED.test(character) ? character : escape.toUpperCase()
}
