/**
 * Session cookies are plain ASCII (D3), so no decoding is done: a value that needs it was not
 * issued here. A name that appears twice is ambiguous and counts as absent.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  const prefix = `${name}=`
  // Usually it is the only one.
  if (header.startsWith(prefix) && !header.includes(';')) return header.slice(prefix.length).trim()
  const found = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined
}

export interface CookieOptions {
  maxAgeSeconds: number
}

/** The attributes of D3: a `__Host-` cookie has no Domain, is Secure and has the path /. */
export function renderCookie(name: string, value: string, options: CookieOptions): string {
  if (!/^__Host-[A-Za-z0-9_-]+$/.test(name)) throw new TypeError('cookie name needs __Host-')
  if (!/^[A-Za-z0-9._~-]*$/.test(value)) throw new TypeError('cookie value needs encoding')
  const lifetime = `Max-Age=${options.maxAgeSeconds}`
  return `${name}=${value}; Path=/; ${lifetime}; Secure; HttpOnly; SameSite=Lax`
}
