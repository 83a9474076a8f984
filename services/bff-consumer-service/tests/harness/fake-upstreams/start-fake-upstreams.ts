import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { answerIn } from './respond.ts'
import { someHotels } from './sample-hotels.ts'
import type { Asked, Behaviour, FakeUpstreams, Name, Stand } from './types.ts'

/** Five upstreams in one real server, well until told otherwise. */
export async function startFakeUpstreams(hotels = someHotels()): Promise<FakeUpstreams> {
  const well = (): Behaviour => ({ mood: 'well', delayMs: 0 })
  const allWell = () => ({
    search: well(),
    pricing: well(),
    theme: well(),
    property: well(),
    tenant: well(),
  })
  const stand: Omit<FakeUpstreams, 'url' | typeof Symbol.asyncDispose> = {
    behaviour: allWell(),
    hotels,
    asked: [],
    capturedAt: () => new Date().toISOString(),
    previewExtra: {},
    searchExtra: {},
    propertyExtra: {},
    suspended: new Set(),
    unlisted: new Set(),
    unsold: new Set(),
    count: (name) => stand.asked.filter(({ upstream }) => upstream === name).length,
    mend() {
      const nothing = { previewExtra: {}, searchExtra: {}, propertyExtra: {} }
      Object.assign(stand, { behaviour: allWell(), ...nothing })
    },
  }
  const server = createServer((request, response) => void serve(stand, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(stand, {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

async function serve(stand: Stand, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const [, upstream = '', ...rest] = (request.url ?? '').split('/')
  const asked: Asked = {
    upstream: upstream as Name,
    path: rest.join('/'),
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    headers: request.headers,
  }
  stand.asked.push(asked)
  const { mood: wished, delayMs, only = '' } = stand.behaviour[asked.upstream]
  const mood = asked.path.includes(only) ? wished : 'well'
  if (delayMs > 0) await delay(delayMs)
  if (mood === 'hanging') return
  if (mood === 'dropping') {
    request.socket.destroy()
    return
  }
  const { status, body } = answerIn(mood, stand, asked)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
