import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isProblem } from '@melmastoon/domain'
import { Type } from 'typebox'
import { afterEach, describe, expect, it } from 'vitest'
import { createDeadline } from '../../src/clock/index.ts'
import {
  createUpstream,
  fromUpstreamRejection,
  settleSections,
  type Upstream,
  type UpstreamOptions,
  UpstreamRejection,
  type UpstreamRequest,
} from '../../src/upstream/index.ts'

const Rooms = Type.Object({ rooms: Type.Integer() })
type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

const json =
  (status: number, body: unknown): Behaviour =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
const hang: Behaviour = () => undefined
const drop: Behaviour = (request) => request.socket.destroy()
const text =
  (contentType: string, body: string, status = 200): Behaviour =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': contentType }).end(body)
  }

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

/** A real server whose next responses are scripted; the last one repeats. */
async function misbehavingServer(...script: Behaviour[]) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    const behaviour = script.length > 1 ? script.shift() : script[0]
    behaviour?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUps.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requests, script }
}

function upstreamAt(baseUrl: string, options: Partial<UpstreamOptions> = {}): Upstream {
  const upstream = createUpstream({
    name: 'inventory',
    baseUrl,
    timeoutMs: 300,
    retries: 0,
    halfOpenAfterMs: 150,
    ...options,
  })
  cleanUps.push(() => upstream[Symbol.asyncDispose]() as Promise<void>)
  return upstream
}

function getRooms(
  over: Partial<UpstreamRequest<typeof Rooms>> = {},
): UpstreamRequest<typeof Rooms> {
  return {
    operation: 'inventory.rooms.count',
    method: 'GET',
    path: '/rooms',
    schema: Rooms,
    deadline: createDeadline(2_000),
    ...over,
  }
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'no problem'
  } catch (error) {
    return isProblem(error) ? error.code : String(error)
  }
}

describe('an upstream call', () => {
  it('passes path, query, trace, authorization, key and the time left', async () => {
    const server = await misbehavingServer(json(200, { rooms: 3, more: true }))
    const upstream = upstreamAt(server.baseUrl, {
      authorize: () => ({ authorization: 'Bearer s' }),
    })
    const response = await upstream.call(
      getRooms({
        query: { city: 'کابل', page: 2, none: undefined },
        trace: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true },
        idempotencyKey: 'k1',
      }),
    )
    expect(response.value).toMatchObject({ rooms: 3 })
    const [request] = server.requests
    expect(request?.url).toBe('/v1/rooms?city=%DA%A9%D8%A7%D8%A8%D9%84&page=2')
    expect(request?.headers).toMatchObject({
      traceparent: expect.stringMatching(/^00-a{32}-[0-9a-f]{16}-01$/),
      authorization: 'Bearer s',
      'idempotency-key': 'k1',
    })
    const budgetMs = Number(request?.headers['x-request-deadline-ms'])
    expect(budgetMs).toBeGreaterThan(0)
    expect(budgetMs).toBeLessThanOrEqual(300)
  })

  it.each([
    ['hangs', hang, 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'],
    ['drops the connection', drop, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'],
    ['fails', json(500, {}), 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'],
    [
      'sends invalid JSON',
      text('application/json', '{"rooms":'),
      'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN',
    ],
    ['sends HTML', text('text/html', '<h1>'), 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN'],
    ['changes a type', json(200, { rooms: '3' }), 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN'],
    ['omits a field', json(200, {}), 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN'],
    [
      'sends too much',
      text('application/json', ' '.repeat(4_300_000)),
      'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN',
    ],
  ])('that %s fails with a specific problem code', async (_what, behaviour, code) => {
    const server = await misbehavingServer(behaviour)
    expect(await codeOf(upstreamAt(server.baseUrl).call(getRooms()))).toBe(code)
  })

  it('reports drift by operation and place', async () => {
    const drifts: string[] = []
    const server = await misbehavingServer(json(200, { rooms: '3' }))
    const upstream = upstreamAt(server.baseUrl, {
      observer: { onDrift: (operation, where) => drifts.push(`${operation} ${where}`) },
    })
    await codeOf(upstream.call(getRooms()))
    expect(drifts).toEqual(['inventory.rooms.count /rooms type'])
  })

  it('passes a rejection to the feature, without a retry and without opening the breaker', async () => {
    const server = await misbehavingServer(json(409, { code: 'SOLD_OUT' }))
    const upstream = upstreamAt(server.baseUrl, { retries: 3 })
    for (let i = 0; i < 6; i += 1) {
      await expect(upstream.call(getRooms())).rejects.toMatchObject({
        status: 409,
        code: 'SOLD_OUT',
      })
    }
    await expect(upstream.call(getRooms())).rejects.toBeInstanceOf(UpstreamRejection)
    expect(server.requests).toHaveLength(7)
    expect(upstream.breakerState()).toBe('closed')
  })
})

describe('a 4xx without a problem document', () => {
  it.each([
    ['HTML', text('text/html', '<h1>404</h1>', 404)],
    ['no body', text('text/plain', '', 400)],
    ['broken JSON', text('application/json', '{', 422)],
  ])('is a rejected request and not a broken contract: %s', async (_name, behaviour) => {
    const server = await misbehavingServer(behaviour)
    const upstream = upstreamAt(server.baseUrl, { retries: 3 })
    for (let sent = 0; sent < 6; sent += 1) {
      expect(await codeOf(upstream.call(getRooms()))).toBe(
        'MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED',
      )
    }
    expect(server.requests).toHaveLength(6)
    expect(upstream.breakerState()).toBe('closed')
  })

  it('has the same problem when a feature cannot explain its document', () => {
    const rejection = new UpstreamRejection('rooms', 403, { code: 'MELMASTOON.GENERAL.FORBIDDEN' })
    const { code, status, cause } = fromUpstreamRejection(rejection)
    expect([code, status]).toEqual(['MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED', 502])
    expect(cause).toBe(rejection)
  })
})

describe('retries', () => {
  it('repeat a read and succeed', async () => {
    const server = await misbehavingServer(drop, json(200, { rooms: 1 }))
    const response = await upstreamAt(server.baseUrl, { retries: 1 }).call(getRooms())
    expect(response.value.rooms).toBe(1)
  })

  it('never repeat a mutation without a key', async () => {
    const server = await misbehavingServer(json(500, {}))
    const upstream = upstreamAt(server.baseUrl, { retries: 3 })
    await codeOf(upstream.call(getRooms({ method: 'POST', body: {} })))
    expect(server.requests).toHaveLength(1)
  })

  it('repeat a query that is sent by POST', async () => {
    const server = await misbehavingServer(drop, json(200, { rooms: 3 }))
    const upstream = upstreamAt(server.baseUrl, { retries: 1 })
    const response = await upstream.call(getRooms({ method: 'POST', body: {}, readOnly: true }))
    expect(response.value).toEqual({ rooms: 3 })
  })

  it('repeat a mutation that carries a key, with the same key', async () => {
    const server = await misbehavingServer(json(500, {}), json(200, { rooms: 1 }))
    const upstream = upstreamAt(server.baseUrl, { retries: 1 })
    await upstream.call(getRooms({ method: 'POST', body: {}, idempotencyKey: 'same' }))
    expect(server.requests.map((r) => r.headers['idempotency-key'])).toEqual(['same', 'same'])
  })

  it('add at most a tenth to the traffic once the reserve is used up', async () => {
    const server = await misbehavingServer(json(500, {}))
    const upstream = upstreamAt(server.baseUrl, { retries: 3, halfOpenAfterMs: 0 })
    for (let i = 0; i < 60; i += 1) await codeOf(upstream.call(getRooms()))
    expect(server.requests.length).toBeLessThanOrEqual(60 + 10 + 6)
  })
})

describe('the breaker', () => {
  it('opens after five consecutive failures, fails immediately, probes once and closes', async () => {
    const server = await misbehavingServer(json(500, {}))
    const states: string[] = []
    const upstream = upstreamAt(server.baseUrl, { observer: { onBreaker: (s) => states.push(s) } })
    for (let i = 0; i < 8; i += 1) await codeOf(upstream.call(getRooms()))
    expect(server.requests).toHaveLength(5)
    expect(upstream.breakerState()).toBe('open')

    server.script.push(json(200, { rooms: 1 }))
    server.script.shift()
    await expect.poll(() => codeOf(upstream.call(getRooms())), { interval: 50 }).toBe('no problem')
    expect(states).toEqual(['open', 'half-open', 'closed'])
  })

  it('does not count callers that disconnected', async () => {
    const server = await misbehavingServer(hang)
    const upstream = upstreamAt(server.baseUrl)
    for (let i = 0; i < 6; i += 1) {
      const gone = new AbortController()
      const call = upstream.call(
        getRooms({ deadline: createDeadline(2_000, { parent: gone.signal }) }),
      )
      gone.abort()
      await codeOf(call)
    }
    expect(upstream.breakerState()).toBe('closed')
  })
})

describe('a deadline', () => {
  it('that has already passed is a timeout, without a call and without an unhandled rejection', async () => {
    const server = await misbehavingServer(json(200, { rooms: 1 }))
    const gone = new AbortController()
    gone.abort()
    const deadline = createDeadline(1_000, { parent: gone.signal })
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    const code = await codeOf(upstreamAt(server.baseUrl).call(getRooms({ deadline })))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(code).toBe('MELMASTOON.BFF.UPSTREAM_TIMEOUT')
    expect(unhandled).toEqual([])
    expect(server.requests).toHaveLength(0)
  })

  it('that ends during the pause before a retry ends the retries', async () => {
    const gone = new AbortController()
    const server = await misbehavingServer((_request, response) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
      setImmediate(() => gone.abort())
    })
    const deadline = createDeadline(1_000, { parent: gone.signal })
    const upstream = upstreamAt(server.baseUrl, { retries: 3 })
    expect(await codeOf(upstream.call(getRooms({ deadline })))).toMatch(/^MELMASTOON\.BFF\./)
    expect(server.requests).toHaveLength(1)
  })

  it('that is too short does not open the breaker of an upstream; a hanging upstream does', async () => {
    const server = await misbehavingServer(hang)
    const upstream = upstreamAt(server.baseUrl, { timeoutMs: 200 })
    const call = (budgetMs: number) =>
      codeOf(upstream.call(getRooms({ deadline: createDeadline(budgetMs) })))
    for (let i = 0; i < 6; i += 1) await call(10)
    expect(upstream.breakerState()).toBe('closed')
    await Promise.all(Array.from({ length: 6 }, () => call(150)))
    expect(upstream.breakerState()).toBe('open')
  })
})

describe('bounds', () => {
  it('end a call at the deadline of the request, before the timeout of the upstream', async () => {
    const server = await misbehavingServer(hang)
    const upstream = upstreamAt(server.baseUrl, { timeoutMs: 60_000 })
    using deadline = createDeadline(50)
    expect(await codeOf(upstream.call(getRooms({ deadline })))).toBe(
      'MELMASTOON.BFF.UPSTREAM_TIMEOUT',
    )
  })

  it('reject calls beyond the bulkhead and its queue, and limit concurrent ones', async () => {
    const server = await misbehavingServer(hang)
    const upstream = upstreamAt(server.baseUrl, { concurrentMax: 2, queueMax: 1 })
    const codes = await Promise.all(
      Array.from({ length: 5 }, () => codeOf(upstream.call(getRooms()))),
    )
    expect(server.requests.length).toBeLessThanOrEqual(3)
    expect(codes.filter((code) => code === 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')).toHaveLength(2)
    expect(codes.filter((code) => code === 'MELMASTOON.BFF.UPSTREAM_TIMEOUT')).toHaveLength(3)
  })

  it('leave a page with the sections that were available', async () => {
    const server = await misbehavingServer(hang)
    const upstream = upstreamAt(server.baseUrl, { timeoutMs: 50 })
    const reported: Record<string, unknown> = {}
    const sections = await settleSections(
      {
        name: Promise.resolve('Serena'),
        price: upstream.call(getRooms()),
        broken: Promise.reject(new TypeError('x')),
      },
      (section, error) => {
        reported[section] = error
      },
    )
    expect(sections).toEqual({
      name: { status: 'ok', value: 'Serena' },
      price: { status: 'late', value: undefined },
      broken: { status: 'failed', value: undefined },
    })
    expect(reported).toEqual({
      price: expect.objectContaining({ code: 'MELMASTOON.BFF.UPSTREAM_TIMEOUT' }),
      broken: expect.any(TypeError),
    })
  })
})
