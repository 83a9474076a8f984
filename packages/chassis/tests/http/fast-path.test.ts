import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { constantDocuments } from '../../src/cache/index.ts'
import { buildApp } from '../../src/http/build-app.ts'
import { type FastRequest, type FastResponder, limitTaken } from '../../src/http/index.ts'
import { startTestApp, type TestAppOptions } from './_app.ts'
import { converse, postJson, request, sendRaw } from './_raw-socket.ts'

const bytes = constantDocuments((from: string) => ({ from }))('fast path')
const schema = { body: Type.Object({ text: Type.String() }) }
const EVERY: FastResponder = () => ({ bytes, options: {} })
const NONE: FastResponder = () => undefined

/** Fastify's handlers return what they received. */
function startFastApp(respond: FastResponder, options: TestAppOptions = {}) {
  return startTestApp({
    ...options,
    routes(app) {
      app.fastPath.add({ 'POST /texts': respond, 'GET /texts/:id': respond })
      options.routes?.(app)
      const config = { cachesBodies: true, operation: 'text.echo' }
      app.post('/texts', { config, schema }, async ({ body, raw }) => ({
        body,
        limit: limitTaken({ raw } as never)?.remaining,
      }))
      app.get('/texts/:id', async ({ params, query }) => ({ params, query }))
    },
  })
}

const TEXT = JSON.stringify({ text: 'گلونه' })
const HEADERS = { connection: 'keep-alive' }
const POST = postJson('/texts', Buffer.from(TEXT).toString('latin1'), {
  ...HEADERS,
  'content-length': String(Buffer.byteLength(TEXT)),
})
const GET = request('GET', '/texts/7?a=1', HEADERS)
const READY = '{"from":"fast path"}'
const ECHO = JSON.stringify({ body: JSON.parse(TEXT) as unknown })
const utf8 = (text: string) => Buffer.from(text, 'latin1').toString()
const SHORTLY = { timeoutMs: 600 }

describe('a request that Fastify has validated before', () => {
  it.each([
    ['POST', POST],
    ['GET', GET],
  ])('gets the ready response: %s', async (_method, text) => {
    await using server = await startFastApp(EVERY)
    const first = await sendRaw(server.port, text)
    const second = await sendRaw(server.port, text)
    expect([first.status, utf8(first.body)]).not.toEqual([200, READY])
    expect([second.status, second.body]).toEqual([200, READY])
    expect(second.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_/),
    })
    expect(server.app.fastPath.sent).toBe(1)
    const counted = /test_request_total\{route="\/texts[^}]*status_class="2xx"\} 2/
    expect(await server.metrics.render()).toMatch(counted)
  })

  it('control: without the fast path Fastify responds', async () => {
    await using server = await startFastApp(EVERY, { fastPath: false })
    for (let turn = 0; turn < 2; turn += 1) {
      expect(utf8((await sendRaw(server.port, POST)).body)).toBe(ECHO)
    }
    expect(server.app.fastPath.sent).toBe(0)
  })

  it('keeps the order of pipelined requests', async () => {
    await using server = await startFastApp(EVERY)
    await sendRaw(server.port, POST)
    const other = postJson('/texts', '{"text":"other"}', HEADERS)
    const { responses } = await converse(server.port, [`${POST}${other}${POST}`], SHORTLY)
    expect(responses.map(({ body }) => body)).toEqual([READY, '{"body":{"text":"other"}}', READY])
  })

  it('is asked to close the connection with the last response on it', async () => {
    await using server = await startFastApp(EVERY)
    await sendRaw(server.port, POST)
    server.app.server.maxRequestsPerSocket = 3
    const { text } = await sendRaw(server.port, `${POST}${POST}${POST}`)
    expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(3)
    expect(text.match(/^connection: [a-z-]+/gim)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ])
  })
})

describe('a response that is assembled', () => {
  const shared = Buffer.from('{"name":"گلونه"}')
  const assembled: FastResponder = ({ id }) => ({
    shared,
    own: JSON.stringify({ id, city: 'کابل' }),
  })

  it('has the shared members and its own, and is stored by no cache', async () => {
    await using server = await startFastApp(assembled)
    await sendRaw(server.port, GET)
    const responses = [await sendRaw(server.port, GET), await sendRaw(server.port, GET)]
    for (const { status, headers, body } of responses) {
      const expected = { name: 'گلونه', id: headers['x-request-id'], city: 'کابل' }
      expect([status, JSON.parse(utf8(body))]).toEqual([200, expected])
      expect(headers).toMatchObject({
        'cache-control': 'private, no-store',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(body.length),
      })
    }
    const ids = responses.map(({ headers }) => headers['x-request-id'])
    expect(new Set(ids).size).toBe(2)
    expect(server.app.fastPath.sent).toBe(2)
  })
})

describe('a request without a ready response reaches Fastify', () => {
  it.each([
    ['at once', [POST]],
    ['with its body later', [POST.slice(0, -20), POST.slice(-20)]],
    ['in three pieces', [POST.slice(0, 30), POST.slice(30, -5), POST.slice(-5)]],
  ])('with its whole body, which arrived %s', async (_how, pieces) => {
    await using server = await startFastApp(NONE)
    for (let turn = 0; turn < 2; turn += 1) {
      const { responses } = await converse(server.port, pieces, SHORTLY)
      expect(responses.map(({ status, body }) => [status, utf8(body)])).toEqual([[200, ECHO]])
    }
  })

  it.each([
    ['empty', postJson('/texts', '', HEADERS), 400],
    ['known', POST, 200],
    ['unknown', postJson('/texts', '{"text":"other"}', HEADERS), 200],
  ])('with its body, although a hook is asynchronous: %s', async (_what, text, status) => {
    await using server = await startFastApp(NONE, {
      routes: (app) => void app.addHook('onRequest', async () => await delay(5)),
    })
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await sendRaw(server.port, text)).status).toBe(status)
    }
  })

  it('when the responder fails', async () => {
    await using server = await startFastApp(() => {
      throw new TypeError('a bug')
    })
    for (let turn = 0; turn < 2; turn += 1) {
      expect(utf8((await sendRaw(server.port, POST)).body)).toBe(ECHO)
    }
  })

  it('with the decision of a limit that has counted it', async () => {
    const policy = { name: 'test', limit: 9, periodSeconds: 60 }
    await using server = await startFastApp((fast: FastRequest) => {
      const times = { resetSeconds: 1, retryAfterSeconds: 0 }
      fast.limit = { allowed: true, policy, remaining: 5, ...times }
      return undefined
    })
    await sendRaw(server.port, POST)
    expect((await sendRaw(server.port, POST)).body).toContain('"limit":5')
  })

  it.each([
    ['a recorded trace', { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` }, 1],
    ['control: a trace that is not recorded', {}, 0],
  ])('with %s, which is decided once', async (_what, headers, spans) => {
    await using server = await startFastApp(EVERY)
    await sendRaw(server.port, POST)
    const length = String(Buffer.byteLength(TEXT))
    const body = Buffer.from(TEXT).toString('latin1')
    await sendRaw(server.port, postJson('/texts', body, { 'content-length': length, ...headers }))
    await server.tracer.flush()
    expect(server.exporter.getFinishedSpans()).toHaveLength(spans)
    expect(server.app.fastPath.sent).toBe(1 - spans)
  })

  it('while the process is draining', async () => {
    await using server = await startFastApp(EVERY)
    await sendRaw(server.port, POST)
    server.app.traffic.draining = true
    const response = await sendRaw(server.port, POST)
    expect([response.headers['connection'], utf8(response.body)]).toEqual(['close', ECHO])
  })

  it('while the process sheds load', async () => {
    await using server = await startFastApp(EVERY, { maxEventLoopDelayMs: -1_000 })
    await expect.poll(async () => (await sendRaw(server.port, POST)).status).toBe(503)
    const { sent } = server.app.fastPath
    expect((await sendRaw(server.port, POST)).status).toBe(503)
    expect(server.app.fastPath.sent).toBe(sent)
  })
})

it('a response that the client does not read is in flight until the client leaves', async () => {
  const large = constantDocuments(() => 'x'.repeat(20_000_000))('large')
  await using server = await startFastApp(() => ({ bytes: large, options: {} }))
  await sendRaw(server.port, GET)
  const socket = connect(server.port, '127.0.0.1', () => socket.write(GET))
  socket.on('error', () => undefined)
  await expect.poll(() => server.app.traffic.inFlight).toBe(1)
  socket.destroy()
  await expect.poll(() => server.app.traffic.inFlight).toBe(0)
  expect(server.lines.join('')).toContain('client_disconnected')
})

it.each(['destroy', 'end'] as const)(
  'a response whose client leaves before it is written is counted, and not in flight: %s',
  async (leave) => {
    await using server = await startFastApp(({ raw }) => {
      // As Node does when the client has aborted or closed the connection.
      raw.socket[leave]()
      return { bytes, options: {} }
    })
    await sendRaw(server.port, GET)
    const socket = connect(server.port, '127.0.0.1', () => socket.write(GET))
    socket.on('error', () => undefined)
    await expect.poll(() => server.lines.join('')).toContain('client_disconnected')
    expect([server.app.traffic.inFlight, server.app.fastPath.sent]).toEqual([0, 1])
    const rendered = await server.metrics.render()
    expect(rendered).toMatch(/test_request_total\{route="\/texts\/:id"[^}]*\} 2/)
    expect(rendered).toMatch(/test_request_inflight\{route="\/texts\/:id"\} 0/)
  },
)

it('a response that cannot be sent closes its connection, and those behind it are sent', async () => {
  const broken = request('GET', '/texts/8', HEADERS)
  const other = Promise.withResolvers<void>()
  await using server = await startFastApp(({ raw }) => {
    if (raw.url !== '/texts/8') {
      other.resolve()
      return { bytes, options: {} }
    }
    // The next one to use it is the queue: both responses are sent in one turn.
    const later = (sendAll: () => void) => void other.promise.then(sendAll)
    vi.spyOn(globalThis, 'setImmediate').mockImplementationOnce(later as never)
    return { bytes: {} as never, options: {} }
  })
  for (const text of [GET, broken]) await sendRaw(server.port, text)
  const failed = converse(server.port, [broken])
  await expect.poll(() => server.app.fastPath.sent).toBe(1)
  expect(await sendRaw(server.port, GET)).toMatchObject({ status: 200, body: READY })
  expect(await failed).toEqual({ responses: [], closed: true })
  vi.restoreAllMocks()
  expect(server.lines.join('')).toContain('sending a ready response failed')
  expect(await server.metrics.render()).toMatch(/test_request_inflight\{route="\/texts\/:id"\} 0/)
})

it('a URL with a secret parameter is not kept: its request is validated again', async () => {
  await using server = await startFastApp(EVERY, {
    routes: (app) =>
      void app.addHook('onRoute', (route) => {
        route.config = { ...route.config, secretParameters: ['token'] }
      }),
  })
  const get = (query: string) => request('GET', `/texts/7?${query}`, HEADERS)
  for (const query of ['token=1', 'token=1', 'a=1', 'a=1']) await sendRaw(server.port, get(query))
  expect(server.app.fastPath.sent).toBe(1)
})

it('a table with a route that does not exist is rejected', async () => {
  const app = await buildApp({ service: 'test' })
  app.fastPath.add({ 'GET /nothing': NONE })
  await expect(app.ready()).rejects.toThrow('there is no route GET /nothing')
  await app.close()
})
