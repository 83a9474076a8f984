import { startTcpProxy } from '@melmastoon/testkit'
import { serveCommands } from '../harness/serve-commands.ts'

interface Delay {
  readonly urls: readonly string[]
  readonly delayMs: number
}

/** A control: the same servers behind a slow network. */
async function start({ urls, delayMs }: Delay): Promise<string[]> {
  const proxies = await Promise.all(urls.map((url) => startTcpProxy(url)))
  await Promise.all(proxies.map((proxy) => proxy.setMode({ kind: 'latency', delayMs })))
  return proxies.map(({ url }) => url)
}

serveCommands({ start })
