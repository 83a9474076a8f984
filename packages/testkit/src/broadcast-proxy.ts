import { eventually } from './eventually.ts'
import { type ProxyLink, startForwardingProxy } from './forwarding-proxy.ts'

/** A proxy in front of Redis in which a test can cut off broadcasts, while commands still work. */
export interface BroadcastProxy extends AsyncDisposable {
  readonly url: string
  /** Subscribed connections stay open, but nothing arrives on them any more. */
  cutOff(): void
  /** They are closed, if they were cut off. Resolves when their clients have subscribed again. */
  restore(): Promise<void>
}

interface Link extends ProxyLink {
  isSubscribed: boolean
}

const SUBSCRIBE = /\r\np?subscribe\r\n/i

export async function startBroadcastProxy(targetUrl: string): Promise<BroadcastProxy> {
  let isCutOff = false
  const proxy = await startForwardingProxy(targetUrl, ({ client, server }) => {
    const link: Link = { client, server, isSubscribed: false }
    client.on('data', (bytes: Buffer) => {
      link.isSubscribed ||= SUBSCRIBE.test(bytes.toString('latin1'))
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      if (!(isCutOff && link.isSubscribed)) client.write(bytes)
    })
    return link
  })
  const subscribed = () => [...proxy.links].filter((link) => link.isSubscribed)
  return {
    url: proxy.url,
    cutOff() {
      isCutOff = true
    },
    async restore() {
      if (!isCutOff) return
      isCutOff = false
      const lost = subscribed()
      for (const link of lost) proxy.close(link)
      await eventually(() => {
        if (subscribed().length < lost.length) throw new Error('a client has not subscribed again')
      })
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}
