import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '@melmastoon/domain'
import { respond } from './respond.ts'
import type {
  Behaviour,
  FakeUpstreams,
  Hotel,
  Name,
  UpstreamRequest,
  UpstreamState,
} from './types.ts'

/** Five upstreams in one HTTP server; they respond normally until a test changes their mode. */
export async function startFakeUpstreams(hotels = sampleHotels()): Promise<FakeUpstreams> {
  const normal = (): Behaviour => ({ mode: 'normal', delayMs: 0 })
  const allNormal = () => ({
    search: normal(),
    pricing: normal(),
    theme: normal(),
    property: normal(),
    tenant: normal(),
  })
  const state: Omit<FakeUpstreams, 'url' | typeof Symbol.asyncDispose> = {
    behaviour: allNormal(),
    hotels,
    requests: [],
    capturedAt: () => new Date().toISOString(),
    previewExtra: {},
    offersExtra: {},
    searchExtra: {},
    propertyExtra: {},
    suspended: new Set(),
    unlisted: new Set(),
    unsold: new Set(),
    restricted: new Map(),
    unevenLines: new Set(),
    count: (name) => state.requests.filter(({ upstream }) => upstream === name).length,
    reset() {
      const noExtras = { previewExtra: {}, offersExtra: {}, searchExtra: {}, propertyExtra: {} }
      Object.assign(state, { behaviour: allNormal(), ...noExtras })
    },
  }
  const server = createServer((message, response) => void serve(state, message, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

async function serve(state: UpstreamState, message: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const [, upstream = '', ...rest] = (message.url ?? '').split('/')
  const request: UpstreamRequest = {
    upstream: upstream as Name,
    path: rest.join('/'),
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    headers: message.headers,
  }
  state.requests.push(request)
  const { mode: configured, delayMs, only = '' } = state.behaviour[request.upstream]
  const mode = request.path.includes(only) ? configured : 'normal'
  if (delayMs > 0) await delay(delayMs)
  if (mode === 'hanging') return
  if (mode === 'dropping') {
    message.socket.destroy()
    return
  }
  const { status, body } = respond(mode, state, request)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Twelve hotels in Kabul and two in Herat, each with its own tenant. */
function sampleHotels(): Hotel[] {
  return Array.from({ length: 14 }, (_, at) => ({
    propertyId: newId('ppt'),
    tenantId: newId('tnt'),
    city: at < 12 ? 'kabul' : 'herat',
    name: `Hotel ${at}`,
    nightlyMicro: String(2_500_000_000 + at * 10_000),
    deliveryRegion: at === 1 ? 'europe-west4' : 'asia-south1',
    openedOn: at === 2 ? new Date().toISOString().slice(0, 10) : '2019-05-01',
  }))
}
