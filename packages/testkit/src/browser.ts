import { newId } from '@melmastoon/domain'
import { type SendOptions, send, type TestResponse } from './send.ts'

export interface BrowserOptions {
  /** The address of the listener. */
  readonly url: string
  /** Prepended to every path. */
  readonly base?: string
  /** Sent with every request, for example `host`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends requests with the cookies it received, and a new idempotency key with every mutation. */
export interface Browser {
  /** By name; a test may read or change them. */
  readonly cookies: Map<string, string>
  send(method: string, path: string, options?: SendOptions): Promise<TestResponse>
  get(path: string, options?: SendOptions): Promise<TestResponse>
  /** Mutations: the second argument is the JSON body. */
  post(path: string, json?: unknown, options?: SendOptions): Promise<TestResponse>
  patch(path: string, json?: unknown, options?: SendOptions): Promise<TestResponse>
  delete(path: string, options?: SendOptions): Promise<TestResponse>
  /** The same guest (with the same cookies) at another address or process. */
  at(options: Partial<BrowserOptions>): Browser
}

export function createBrowser(
  options: BrowserOptions,
  cookies: Map<string, string> = new Map(),
): Browser {
  const { url, base = '', headers: fixed = {} } = options
  const request = async (...[method, path, more = {}]: Parameters<Browser['send']>) => {
    const headers = { ...cookieHeader(cookies), ...fixed, ...more.headers }
    const response = await send(url, method, `${base}${path}`, { ...more, headers })
    for (const line of response.headers.getSetCookie()) keepCookie(cookies, line)
    return response
  }
  const mutate =
    (method: string) =>
    (path: string, json: unknown = {}, more: SendOptions = {}) =>
      request(method, path, { key: newId('req'), json, ...more })
  return {
    cookies,
    send: request,
    get: (path, more) => request('GET', path, more),
    post: mutate('POST'),
    patch: mutate('PATCH'),
    delete: (path, more = {}) => request('DELETE', path, { key: newId('req'), ...more }),
    at: (other) =>
      createBrowser({ ...options, ...other, headers: { ...fixed, ...other.headers } }, cookies),
  }
}

function cookieHeader(cookies: ReadonlyMap<string, string>): Record<string, string> {
  if (cookies.size === 0) return {}
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';')
  const end = pair.indexOf('=')
  const name = pair.slice(0, end)
  const isExpired = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))
  if (isExpired) cookies.delete(name)
  else cookies.set(name, pair.slice(end + 1))
}
