import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The floor of a comparison: a server without a framework that does the calls and nothing else. */
export async function serveCalls(
  call: (request: IncomingMessage) => Promise<unknown>,
): Promise<number> {
  const server = createServer((request, response) => {
    call(request).then(
      () => response.writeHead(200, { 'content-length': '2' }).end('ok'),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

export function queryOf({ url = '/' }: IncomingMessage): URLSearchParams {
  return new URL(url, 'http://host').searchParams
}
