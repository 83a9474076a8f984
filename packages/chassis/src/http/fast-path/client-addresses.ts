import type { IncomingMessage } from 'node:http'

type Addressed = Pick<IncomingMessage, 'headers' | 'socket'>

/**
 * The address of the connection, then those that the trusted proxies wrote, the client's last: the
 * same list as `request.ips` of Fastify.
 */
export function clientAddresses({ headers, socket }: Addressed, trustedHops: number): string[] {
  const addresses = [socket.remoteAddress ?? '']
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded !== 'string') return addresses
  const written = forwarded.split(',').map((part) => part.replace(/^[ \t]+|[ \t]+$/g, ''))
  addresses.push(...written.filter((address) => address !== '').reverse())
  return addresses.slice(0, trustedHops + 1)
}
