import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveCommands } from '../../harness/serve-commands.ts'

interface Start {
  readonly bodyBase64: string
  readonly brotliBase64: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The floor: Node's own server and prepared bytes. It reads the request body, as every server must,
 * and evaluates two headers only.
 */
async function start({ bodyBase64, brotliBase64, headers }: Start): Promise<number> {
  const body = Buffer.from(bodyBase64, 'base64')
  const brotli = Buffer.from(brotliBase64, 'base64')
  const plain = { ...headers, 'content-length': String(body.length) }
  const packed = { ...headers, 'content-encoding': 'br', 'content-length': String(brotli.length) }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { 'if-none-match': known } = request.headers
      if (known !== undefined && known === headers['etag']) {
        response.writeHead(304, headers).end()
      } else if (request.headers['accept-encoding'] === undefined) {
        response.writeHead(200, plain).end(body)
      } else response.writeHead(200, packed).end(brotli)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

serveCommands({ start })
