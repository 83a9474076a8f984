import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type UpstreamMode = 'healthy' | 'hanging' | 'failing' | 'invalid' | 'dropping'

export interface ExampleUpstream extends AsyncDisposable {
  readonly url: string
  mode: UpstreamMode
  /** Delay of responses. */
  delayMs: number
  /** Every request that arrived, such as `GET /catalogue`. */
  readonly requests: string[]
  /** Idempotency key → reservation: the reservations that were actually made. */
  readonly reservations: ReadonlyMap<string, string>
}

/** About 40 KiB of JSON, the size of a page of search results. */
const ITEMS = 410

/** The upstream of the example service: a real HTTP server that can be made to fail. */
export async function startExampleUpstream(port = 0): Promise<ExampleUpstream> {
  const reservations = new Map<string, string>()
  const upstream: Omit<ExampleUpstream, 'url' | typeof Symbol.asyncDispose> = {
    mode: 'healthy',
    delayMs: 0,
    requests: [],
    reservations,
  }
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    upstream.requests.push(`${request.method} ${path}`)
    const send = () => respond(upstream.mode, { request, response, path, reservations })
    if (upstream.delayMs === 0) send()
    else setTimeout(send, upstream.delayMs)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  // It must not prevent a program from exiting.
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(upstream, { url, [Symbol.asyncDispose]: () => close(server) })
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  path: string
  reservations: Map<string, string>
}

function respond(mode: UpstreamMode, exchange: Exchange): void {
  const { request, response } = exchange
  if (mode === 'hanging') return
  if (mode === 'dropping') request.socket.destroy()
  else if (mode === 'failing') sendJson(response, 500, { title: 'broken' })
  else if (mode === 'invalid') sendJson(response, 200, { items: 'none', reservationRef: 7 })
  else if (exchange.path === '/catalogue') sendJson(response, 200, catalogue(request))
  else if (exchange.path === '/reservations') reserve(exchange)
  else sendJson(response, 404, { title: 'no such route' })
}

function catalogue(request: IncomingMessage) {
  const query = new URL(request.url ?? '', 'http://upstream').searchParams
  const name = `A quiet room above the garden, ${query.get('locale')}, ${query.get('currency')}`
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    id: `item-${String(index).padStart(4, '0')}`,
    name: `${name} no. ${index}`,
    amountMinor: 125_00 + index,
  }))
  return { items }
}

function reserve({ request, response, reservations }: Exchange): void {
  const key = String(request.headers['idempotency-key'])
  const reservationRef = reservations.get(key) ?? `ref-${reservations.size + 1}`
  reservations.set(key, reservationRef)
  request.resume()
  sendJson(response, 200, { reservationRef })
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
