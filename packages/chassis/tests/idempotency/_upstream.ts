import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface UpstreamCall {
  readonly key: string
  readonly body: string
}

export type UpstreamMood =
  | 'answers'
  | 'fails'
  | 'declines'
  /** Does the work, then says nothing. */
  | 'forgets_to_answer'

/**
 * A reservation service of flesh and blood: it keeps one hold per key, can be asked for it by that
 * key, and can be told to misbehave.
 */
export interface Upstream extends AsyncDisposable {
  readonly url: string
  readonly calls: UpstreamCall[]
  readonly lookups: string[]
  readonly holds: Map<string, string>
  mood: UpstreamMood
  /** Answers wait for this promise, after the work is done. */
  gate: Promise<void>
  /** Resolves when that many calls have come in. */
  callsReach(count: number): Promise<void>
}

export async function startUpstream(): Promise<Upstream> {
  const server = createServer((request, response) => {
    answer(upstream, request, response).catch(() => response.destroy())
  })
  const waiters: { count: number; resolve: () => void }[] = []
  const upstream: Upstream & { noteCall(call: UpstreamCall): void } = {
    url: '',
    calls: [],
    lookups: [],
    holds: new Map(),
    mood: 'answers',
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

async function answer(
  upstream: Noting,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const key = String(request.headers['idempotency-key'])
  if (request.method === 'GET') {
    upstream.lookups.push(key)
    return finish(response, upstream.holds.has(key) ? 200 : 404, upstream.holds.get(key))
  }
  const { mood } = upstream
  const body = await readAll(request)
  if (mood === 'answers' || mood === 'forgets_to_answer') keepHold(upstream, key)
  upstream.noteCall({ key, body })
  await upstream.gate
  if (mood === 'fails') return finish(response, 500)
  if (mood === 'declines') return finish(response, 402)
  if (mood === 'answers') finish(response, 201, upstream.holds.get(key))
}

function keepHold(upstream: Upstream, key: string): void {
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
