/** Sends one request; `fetch` itself is one. */
export type SendFunction = (request: Request) => Promise<Response>

interface Cookie {
  readonly value: string
  readonly path: string
  readonly isSecure: boolean
  readonly expiresAtMs: number
}

/** More than any service of the platform sets. */
const COOKIES_MAX = 50
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

export interface CookieOptions {
  /** By default the `fetch` of the environment. */
  readonly fetch?: SendFunction
  /** The time that decides when a cookie expires. */
  readonly nowMs?: () => number
}

/**
 * A `fetch` that keeps the cookies of each origin in memory and sends them back, so that calls in
 * Node belong to one session. Not for browsers: they do this themselves and hide cookies from
 * scripts. One session per call of this function, so a server calls it once per visitor.
 *
 * @example createClient<paths>({ baseUrl, fetch: keepCookies() })
 */
export function keepCookies(options: CookieOptions = {}): SendFunction {
  const { fetch: send = (request: Request) => fetch(request), nowMs = Date.now } = options
  const origins = new Map<string, Map<string, Cookie>>()
  return async (request) => {
    const url = new URL(request.url)
    const cookies = origins.get(url.origin) ?? new Map<string, Cookie>()
    origins.set(url.origin, cookies)
    const header = cookieHeader(cookies, url, nowMs())
    if (header !== '') request.headers.set('cookie', header)
    const response = await send(request)
    const received = { url, nowMs: nowMs() }
    for (const line of response.headers.getSetCookie()) store(cookies, line, received)
    return response
  }
}

function cookieHeader(cookies: ReadonlyMap<string, Cookie>, url: URL, nowMs: number): string {
  const isSafe = url.protocol === 'https:' || LOOPBACK.test(url.hostname)
  return [...cookies]
    .filter(([, { isSecure }]) => isSafe || !isSecure)
    .filter(([, { expiresAtMs }]) => expiresAtMs > nowMs)
    .filter(([, { path }]) => isBelow(path, url.pathname))
    .map(([name, { value }]) => `${name}=${value}`)
    .join('; ')
}

/** RFC 6265 §5.1.4. */
function isBelow(path: string, requested: string): boolean {
  return requested === path || requested.startsWith(path.endsWith('/') ? path : `${path}/`)
}

interface Received {
  readonly url: URL
  readonly nowMs: number
}

function store(cookies: Map<string, Cookie>, line: string, { url, nowMs }: Received): void {
  const [pair = '', ...rest] = line.split(';')
  const [name, value] = splitAtEqual(pair)
  if (name === '') return
  const attributes = new Map(
    rest.map(splitAtEqual).map(([key, text]) => [key.toLowerCase(), text] as const),
  )
  const path = attributes.get('path') ?? ''
  const expiresAtMs = expiryOf(attributes, nowMs)
  // Deleted first: a cookie that is set again becomes the newest.
  cookies.delete(name)
  if (expiresAtMs <= nowMs) return
  cookies.set(name, {
    value,
    path: path.startsWith('/') ? path : url.pathname.replace(/\/[^/]*$/, '') || '/',
    isSecure: attributes.has('secure'),
    expiresAtMs,
  })
  const [oldest] = cookies.keys()
  if (cookies.size > COOKIES_MAX && oldest !== undefined) cookies.delete(oldest)
}

/** `Max-Age` takes precedence over `Expires`; without either the cookie stays. */
function expiryOf(attributes: ReadonlyMap<string, string>, nowMs: number): number {
  const maxAge = attributes.get('max-age')
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return nowMs + Number(maxAge) * 1_000
  const expiresMs = Date.parse(attributes.get('expires') ?? '')
  return Number.isNaN(expiresMs) ? Number.POSITIVE_INFINITY : expiresMs
}

function splitAtEqual(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  return at === -1 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}
