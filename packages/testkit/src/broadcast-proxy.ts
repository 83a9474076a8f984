import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { eventually } from './eventually.ts'

/** A proxy in front of Redis in which a test can cut off broadcasts, while commands still work. */
export interface BroadcastProxy extends AsyncDisposable {
  readonly url: string
  /** Subscribed connections stay open, but nothing arrives on them any more. */
  cutOff(): void
  /** They are closed, if they were cut off. Resolves when their clients have subscribed again. */
  restore(): Promise<void>
}

interface Link {
  readonly client: Socket
  readonly server: Socket
  isSubscribed: boolean
}

const SUBSCRIBE = /\r\np?subscribe\r\n/i

export async function startBroadcastProxy(targetUrl: string): Promise<BroadcastProxy> {
  const target = new URL(targetUrl)
  const links = new Set<Link>()
  let isCutOff = false
  const listener = createServer((client) => {
    const server = connect({ host: target.hostname, port: Number(target.port) })
    const link: Link = { client, server, isSubscribed: false }
    links.add(link)
    client.on('data', (bytes: Buffer) => {
      link.isSubscribed ||= SUBSCRIBE.test(bytes.toString('latin1'))
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      if (!(isCutOff && link.isSubscribed)) client.write(bytes)
    })
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => close(links, link))
    }
  })
  listener.listen({ host: '127.0.0.1', port: 0 })
  await once(listener, 'listening')
  const address = listener.address()
  const url = new URL(targetUrl)
  url.hostname = '127.0.0.1'
  url.port = String(address !== null && typeof address === 'object' ? address.port : 0)
  return {
    url: url.href,
    cutOff() {
      isCutOff = true
    },
    async restore() {
      if (!isCutOff) return
      isCutOff = false
      const subscribed = () => [...links].filter((link) => link.isSubscribed)
      const lost = subscribed()
      for (const link of lost) close(links, link)
      await eventually(() => {
        if (subscribed().length < lost.length) throw new Error('a client has not subscribed again')
      })
    },
    async [Symbol.asyncDispose]() {
      listener.close()
      for (const link of links) close(links, link)
    },
  }
}

function close(links: Set<Link>, link: Link): void {
  links.delete(link)
  link.client.destroy()
  link.server.destroy()
}
