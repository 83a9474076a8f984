import { once } from 'node:events'
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** `down`: the connection is closed. `slow`: no response. `wrong`: 200 with invalid content. */
export type UpstreamFault = 'none' | 'down' | 'slow' | 'wrong'

export interface UpstreamFaults extends AsyncDisposable {
  readonly url: string
  set(name: string, fault: UpstreamFault): void
  /** Ends all faults. */
  clear(): void
  /** The requests that an upstream received, with or without a fault. */
  count(name: string): number
  /** The requests without a response so far: with `slow`, those that the caller still waits for. */
  waiting(name: string): number
}

/** A proxy in front of the sandbox, in which a test can break one upstream at a time. */
export async function startUpstreamFaults(
  target: string,
  isUsed: boolean,
): Promise<UpstreamFaults> {
  const faults = new Map<string, UpstreamFault>()
  const counts = new Map<string, number>()
  const waiting = new Map<string, number>()
  const server = createServer((request, response) => {
    const name = /^\/upstreams\/([a-z]+)\//.exec(request.url ?? '')?.[1] ?? ''
    counts.set(name, (counts.get(name) ?? 0) + 1)
    waiting.set(name, (waiting.get(name) ?? 0) + 1)
    response.on('close', () => waiting.set(name, (waiting.get(name) ?? 1) - 1))
    respond(faults.get(name) ?? 'none', { request, response, target })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    set(name, fault) {
      if (!isUsed) throw new TypeError('start the service with `withFaults: true`')
      faults.set(name, fault)
    },
    clear: () => faults.clear(),
    count: (name) => counts.get(name) ?? 0,
    waiting: (name) => waiting.get(name) ?? 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Forwarded {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: string
}

function respond(fault: UpstreamFault, { request, response, target }: Forwarded): void {
  if (fault === 'slow') return
  if (fault === 'down') {
    request.socket.destroy()
    return
  }
  if (fault === 'wrong') {
    response.setHeader('content-type', 'application/json').end('{"unexpected":[true]}')
    return
  }
  const { method, headers, url = '/' } = request
  const forwarded = httpRequest(new URL(url, target), { method, headers }, (received) => {
    response.writeHead(received.statusCode ?? 502, received.headers)
    received.pipe(response)
  })
  forwarded.on('error', () => response.destroy())
  request.pipe(forwarded)
}
