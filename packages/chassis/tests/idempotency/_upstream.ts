import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface UpstreamCall {
  readonly key: string
  readonly body: string
}

export type UpstreamMode =
  | 'responds'
  | 'fails'
  | 'declines'
  /** Does the work, but sends no response. */
  | 'times_out'

/**
 * A real reservation server: it stores one hold per key, returns it by that key, and can be made to
 * fail.
 */
export interface Upstream extends AsyncDisposable {
  readonly url: string
  readonly calls: UpstreamCall[]
  readonly lookups: string[]
  readonly holds: Map<string, string>
  mode: UpstreamMode
  /** Responses wait for this promise after the work is done. */
  gate: Promise<void>
  /** Resolves when that many calls have arrived. */
  callsReach(count: number): Promise<void>
}

export async function startUpstream(): Promise<Upstream> {
  const server = createServer((request, response) => {
    respond(upstream, request, response).catch(() => response.destroy())
  })
  const waiters: { count: number; resolve: () => void }[] = []
  const upstream: Upstream & { noteCall(call: UpstreamCall): void } = {
    url: '',
    calls: [],
    lookups: [],
    holds: new Map(),
    mode: 'responds',
    gate: Promise.resolve(),
    noteCall(call) {
      this.calls.push(call)
      for (const waiter of waiters) if (this.calls.length >= waiter.count) waiter.resolve()
    },
    callsReach(count) {
      if (this.calls.length >= count) return Promise.resolve()
      return new Promise((resolve) => waiters.push({ count, resolve }))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(upstream, { url: `http://127.0.0.1:${port}` })
}

type Noting = Upstream & { noteCall(call: UpstreamCall): void }

async function respond(
  upstream: Noting,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const key = String(request.headers['idempotency-key'])
  if (request.method === 'GET') {
    upstream.lookups.push(key)
    return finish(response, upstream.holds.has(key) ? 200 : 404, upstream.holds.get(key))
  }
  const { mode } = upstream
  const body = await readAll(request)
  if (mode === 'responds' || mode === 'times_out') storeHold(upstream, key)
  upstream.noteCall({ key, body })
  await upstream.gate
  if (mode === 'fails') return finish(response, 500)
  if (mode === 'declines') return finish(response, 402)
  if (mode === 'responds') finish(response, 201, upstream.holds.get(key))
}

function storeHold(upstream: Upstream, key: string): void {
  if (!upstream.holds.has(key)) upstream.holds.set(key, `hold-${upstream.holds.size + 1}`)
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += String(piece)
  return text
}

function finish(response: ServerResponse, status: number, text = ''): void {
  response.writeHead(status).end(text)
}
