import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'

export interface DatabaseTlsSettings {
  /**
   * `verify-ca` checks the chain of the certificate, `verify-full` also its name, `auto` is
   * `verify-ca` except for a server on this machine.
   */
  readonly tls: 'auto' | 'off' | 'verify-ca' | 'verify-full'
  /** PEM; without it, the authorities known to Node. */
  readonly ca?: string | undefined
}

/** What a client of Postgres is created with. */
export interface DatabaseEndpoint {
  readonly connectionString: string
  readonly ssl: ConnectionOptions | false
}

/** The settings decide, not a parameter of the URL or `PGSSLMODE`, which may switch it off. */
export function databaseEndpoint(
  url: string,
  { tls, ca }: DatabaseTlsSettings = { tls: 'auto' },
): DatabaseEndpoint {
  const target = new URL(url)
  for (const name of ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']) {
    target.searchParams.delete(name)
  }
  const connectionString = target.href
  if (tls === 'off' || (tls === 'auto' && isLocal(target))) return { connectionString, ssl: false }
  const chain = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) }
  const ssl = tls === 'verify-full' ? chain : { ...chain, checkServerIdentity: () => undefined }
  return { connectionString, ssl }
}

/** Without a host, or with `?host=/path`, it is a Unix socket. */
function isLocal({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  if (host === '' || host.startsWith('/') || host === 'localhost' || host === '[::1]') return true
  return isIP(host) === 4 && host.startsWith('127.')
}
