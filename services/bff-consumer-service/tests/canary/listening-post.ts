import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ListeningPost extends AsyncDisposable {
  readonly url: string
  readonly heard: readonly string[]
}

/** Takes whatever an exporter of traces sends. */
export async function startListeningPost(): Promise<ListeningPost> {
  const heard: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    heard.push(Buffer.concat(chunks).toString())
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
