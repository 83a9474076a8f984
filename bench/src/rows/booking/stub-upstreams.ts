import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { TenantId } from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { serveCommands } from '../../harness/serve-commands.ts'
import { type QuoteBody, type Result, StubPlatform } from './stub-platform.ts'

interface Asked {
  readonly method: string
  /** With the name of the upstream: `/upstreams/pricing/api/v1/…`. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

interface Reply {
  readonly status: number
  readonly body: string
}

type Handle = (id: string, asked: Asked) => Result | Promise<Result>

const platform = new StubPlatform()
let sandboxUrl = ''
const remembered = new Map<string, Promise<Reply>>()

/** Operations that a booking consists of; every other request is answered as the sandbox did. */
const OPERATIONS: readonly (readonly [string, RegExp, Handle])[] = [
  ['POST', /\/pricing\/quotes()$/, (_, asked) => quote(asked)],
  ['GET', /\/pricing\/quotes\/(qte_\w+)$/, (id) => platform.quote(id)],
  ['GET', /\/pricing\/quotes\/(qte_\w+)\/recheck$/, (id) => platform.recheck(id)],
  ['POST', /\/reservations\/holds()$/, (_, asked) => hold(asked)],
  ['POST', /\/reservations\/(rsv_\w+)\/confirm$/, (id, { body }) => confirm(id, body)],
  ['POST', /\/payments\/intents()$/, (_, { body }) => createIntent(body)],
  ['GET', /\/payments\/intents\/(pyi_\w+)$/, (id) => platform.intent(id)],
  ['POST', /\/payments\/intents\/(pyi_\w+)\/capture$/, (id) => platform.capture(id)],
]
const CREATED = /\/(quotes|holds|intents)$/

const hold = ({ headers, body }: Asked) =>
  platform.hold(
    String(headers['x-tenant-id']) as TenantId,
    body as Parameters<StubPlatform['hold']>[1],
  )
const confirm = (id: string, body: unknown) =>
  platform.confirm(id, body as Parameters<StubPlatform['confirm']>[1])
const createIntent = (body: unknown) =>
  platform.createIntent(body as Parameters<StubPlatform['createIntent']>[0])

/** Priced by the sandbox once per room type and occupancy. */
async function quote(asked: Asked): Promise<Result> {
  const wanted = asked.body as QuoteBody
  const key = JSON.stringify([asked.headers['x-tenant-id'], wanted.rooms, wanted.occupancy])
  const { status, body } = await remember(key, asked)
  if (status !== 201) throw new Error(`the sandbox gave no price: ${body}`)
  return platform.createQuote(JSON.parse(body) as Quote, wanted)
}

function remember(key: string, asked: Asked): Promise<Reply> {
  const known = remembered.get(key) ?? askSandbox(asked)
  remembered.set(key, known)
  return known
}

async function askSandbox({ method, url, headers, body }: Asked): Promise<Reply> {
  const { host: _host, connection: _c, 'content-length': _length, ...rest } = headers
  const response = await fetch(`${sandboxUrl}${url}`, {
    method,
    headers: Object.entries(rest).map(([name, value]) => [name, String(value)]),
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.text() }
}

async function reply(asked: Asked): Promise<Reply> {
  const [path = ''] = asked.url.split('?')
  for (const [method, pattern, handle] of OPERATIONS) {
    const match = method === asked.method ? pattern.exec(path) : null
    if (match === null) continue
    const result = await handle(match[1] ?? '', asked)
    if (result === null) return rejection(404, 'MELMASTOON.GENERAL.NOT_FOUND')
    if (typeof result === 'string') return rejection(409, result)
    const status = method === 'POST' && CREATED.test(path) ? 201 : 200
    return { status, body: JSON.stringify(result) }
  }
  const { method, url, headers } = asked
  return remember(`${method} ${url} ${String(headers['x-tenant-id'])}`, asked)
}

function rejection(status: number, code: string): Reply {
  return { status, body: JSON.stringify({ type: 'about:blank', title: code, status, code }) }
}

async function start({ url }: { readonly url: string }): Promise<number> {
  sandboxUrl = url
  const server = createServer((request, response) => {
    const { method = 'GET', url: asked = '/', headers } = request
    const read = method === 'GET' ? Promise.resolve(null) : json(request)
    read
      .then((body) => reply({ method, url: asked, headers, body }))
      .then(
        ({ status, body }) => {
          const type = status < 400 ? 'application/json' : 'application/problem+json'
          const length = Buffer.byteLength(body)
          response.writeHead(status, { 'content-type': type, 'content-length': length }).end(body)
        },
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

serveCommands({ start })
