import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A connection of a client and the one to the server that continues it. */
export interface ProxyLink {
  readonly client: Socket
  readonly server: Socket
}

export interface ForwardingProxy<Link extends ProxyLink> extends AsyncDisposable {
  /** The URL of the target with the address of the proxy. */
  readonly url: string
  /** The open ones. */
  readonly links: ReadonlySet<Link>
  /** Ends a connection on both sides. */
  close(link: Link): void
}

/**
 * Accepts connections and opens one to the target for each; `join` says how bytes are passed on.
 * When one side ends, so does the other, after the bytes that it has received.
 */
export async function startForwardingProxy<Link extends ProxyLink>(
  targetUrl: string,
  join: (sockets: ProxyLink) => Link,
): Promise<ForwardingProxy<Link>> {
  const target = new URL(targetUrl)
  const links = new Set<Link>()
  const close = (link: Link) => {
    links.delete(link)
    link.client.destroy()
    link.server.destroy()
  }
  const listener = createServer((client) => {
    const server = connect({ host: target.hostname, port: Number(target.port) })
    const link = join({ client, server })
    links.add(link)
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        links.delete(link)
        client.destroySoon()
        server.destroySoon()
      })
    }
  })
  const port = await listen(listener, 0)
  return {
    url: replaceHost(target, port),
    links,
    close,
    async [Symbol.asyncDispose]() {
      const closed = once(listener, 'close')
      listener.close()
      for (const link of links) close(link)
      await closed
    },
  }
}

/** On this machine only. @returns the port. */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen({ port, host: '127.0.0.1' })
  await once(server, 'listening')
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : port
}

/** The URL of a proxy on this machine in front of a target. */
export function replaceHost(target: URL, port: number): string {
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}
