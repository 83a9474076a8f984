import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface TraceCollector extends AsyncDisposable {
  readonly url: string
  readonly received: readonly string[]
}

/** Accepts everything a trace exporter sends. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const received: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => received.push(body))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
