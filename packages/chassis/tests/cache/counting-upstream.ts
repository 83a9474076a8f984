import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CountingUpstream extends AsyncDisposable {
  readonly url: string
  /** One per request, in order. */
  readonly callsAtMs: readonly number[]
  /** Responds to the next requests; the number counts from 1. */
  respond: (response: ServerResponse, call: number) => void
}

/** A real HTTP server that counts requests. Each response is a different page: `{"call":7,…}`. */
export async function startUpstream(delayMs = 0): Promise<CountingUpstream> {
  const callsAtMs: number[] = []
  const upstream = {
    callsAtMs,
    respond: (response: ServerResponse, call: number): void => {
      if (delayMs === 0) response.end(page(call))
      else setTimeout(() => response.end(page(call)), delayMs)
    },
  }
  const server = createServer((request, response) => {
    request.resume()
    callsAtMs.push(performance.now())
    upstream.respond(response, callsAtMs.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(upstream, {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

/** About 40 KiB, so that entries are compressed as real ones are. */
export function page(call: number): string {
  const rows = Array.from({ length: 700 }, (_, row) => ({
    row,
    name: `Room ${(row * 7919) % 997}`,
  }))
  return JSON.stringify({ call, rows })
}

/** The call that a page came from. Parses its beginning only: bursts use it a thousand times. */
export function callOf(body: Buffer): number {
  const match = /^\{"call":(\d+),/.exec(body.toString('latin1', 0, 32))
  return match === null ? -1 : Number(match[1])
}
