import type { IncomingMessage } from 'node:http'
import { domainToASCII } from 'node:url'

export interface HostOptions {
  /** The header that the proxies set and overwrite, in lower case; by default `Host` itself. */
  readonly trustedHostHeader?: string | undefined
  readonly trustProxyHops: number
}

type Request = Pick<IncomingMessage, 'rawHeaders' | 'url'>

const HOST_LENGTH_MAX = 253
const PORT = /:\d{1,5}$/
const HOST = /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/

/**
 * The host that a request was sent to, from which the tenant is resolved (D24): the `Host` header
 * as received or, if configured, the one header that the proxies set. `X-Forwarded-Host` is never
 * read unless it is that header. Undefined: missing, repeated or not a host name (RLS-16).
 */
export function createHostReader(options: HostOptions): (request: Request) => string | undefined {
  const { trustedHostHeader = 'host', trustProxyHops } = options
  const name = trustedHostHeader.toLowerCase()
  if (name !== 'host' && trustProxyHops === 0) {
    throw new TypeError(`${name} can be trusted only behind a proxy`)
  }
  return ({ rawHeaders, url = '' }) => {
    // A proxy may have routed by the host of an absolute target (RFC 9112 §3.2.2).
    if (!url.startsWith('/')) return undefined
    const value = onlyLine(rawHeaders, name)
    return value === undefined ? undefined : parseHost(value)
  }
}

/** From the raw list: Node joins repeated headers, and a client may have added one of them. */
function onlyLine(rawHeaders: readonly string[], name: string): string | undefined {
  let found: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== name) continue
    if (found !== undefined) return undefined
    found = rawHeaders[index + 1]
  }
  return found
}

/**
 * A host name in its canonical form: without the port and the dot of the root, in lower case. An
 * internationalised name is valid in ASCII (`xn--…`) only, as browsers send it.
 */
export function parseHost(value: string): string | undefined {
  const host = value.trim().replace(PORT, '').replace(/\.$/, '').toLowerCase()
  if (host.length > HOST_LENGTH_MAX || !HOST.test(host)) return undefined
  // It is another text for another spelling of an address (`0x7f.1`), and empty for an invalid one.
  return domainToASCII(host) === host ? host : undefined
}
