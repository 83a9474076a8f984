import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp } from './_app.ts'
import { postJson, type RawResponse, request, sendRaw } from './_raw-socket.ts'

let service: Awaited<ReturnType<typeof startTestApp>>

beforeAll(async () => {
  service = await startTestApp({ headersTimeoutMs: 300, requestTimeoutMs: 700 })
})
afterAll(() => service[Symbol.asyncDispose]())
afterEach(() => {
  if (service.stored.length > 0) throw new Error('a rejected request was stored')
})

const GENERAL = 'MELMASTOON.GENERAL.'

function expectProblem(response: RawResponse, status: number, code: string) {
  expect(response.status).toBe(status)
  expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(response.headers['x-request-id']).toMatch(/^req_/)
  expect(response.text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  const document = JSON.parse(response.body)
  expect(document).toMatchObject({ status, code: GENERAL + code })
  expect(document.instance).not.toContain('?')
  expect(response.text).not.toMatch(/stack|node_modules|canary/i)
  return document
}

const ok = '{"text":"hello"}'
const json = { 'content-type': 'application/json' }

describe('bodies', () => {
  const cases: [string, string, number, string][] = [
    ['broken JSON', postJson('/notes', '{"text":'), 400, 'MALFORMED_BODY'],
    ['an empty body', postJson('/notes', ''), 400, 'MALFORMED_BODY'],
    ['no body at all', request('POST', '/notes', {}), 400, 'VALIDATION_FAILED'],
    ['an array', postJson('/notes', '[1]'), 400, 'VALIDATION_FAILED'],
    ['a number for text', postJson('/notes', '{"text":1}'), 400, 'VALIDATION_FAILED'],
    ['text for a number', postJson('/notes', '{"text":"a","stars":"5"}'), 400, 'VALIDATION_FAILED'],
    ['1e999', postJson('/notes', '{"text":"a","stars":1e999}'), 400, 'VALIDATION_FAILED'],
    ['an unknown field', postJson('/notes', '{"text":"a","admin":1}'), 400, 'VALIDATION_FAILED'],
    ['__proto__', postJson('/notes', '{"text":"a","__proto__":{"x":1}}'), 400, 'MALFORMED_BODY'],
    [
      'constructor.prototype',
      postJson('/notes', '{"text":"a","constructor":{"prototype":{"x":1}}}'),
      400,
      'MALFORMED_BODY',
    ],
    [
      'a bare constructor',
      postJson('/notes', '{"text":"a","constructor":1}'),
      400,
      'VALIDATION_FAILED',
    ],
    [
      'text/plain',
      postJson('/notes', ok, { 'content-type': 'text/plain' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a form',
      postJson('/notes', 'text=a', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a missing type',
      request('POST', '/notes', { 'content-length': '2' }, '{}'),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'an invalid type',
      postJson('/notes', ok, { 'content-type': ';;;' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['gzip', postJson('/notes', ok, { 'content-encoding': 'gzip' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['depth 10,000', postJson('/notes', '['.repeat(10_000)), 400, 'MALFORMED_BODY'],
    [
      'depth 10,000, closed',
      postJson('/notes', `{"text":"a","tags":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
      400,
      'VALIDATION_FAILED',
    ],
  ]

  it.each(cases)('rejects %s', async (_name, text, status, code) => {
    expectProblem(await sendRaw(service.port, text), status, code)
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  it('SEC-N03 rejects one byte more than 64 KiB and lets the client read the response', async () => {
    const big = JSON.stringify({ text: 'a'.repeat(64 * 1024) })
    const response = await sendRaw(service.port, postJson('/notes', big))
    expectProblem(response, 413, 'PAYLOAD_TOO_LARGE')
    expect(response.headers['connection']).toBe('close')
  })

  it('stops reading an endless chunked body', async () => {
    const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`
    const head = request('POST', '/notes', { ...json, 'transfer-encoding': 'chunked' })
    const pieces = Array.from({ length: 400 }, () => chunk)
    const response = await sendRaw(service.port, head, { later: { pieces, everyMs: 2 } })
    expectProblem(response, 413, 'PAYLOAD_TOO_LARGE')
  })

  it('validates 7,000 wrong fields quickly and reports a few', async () => {
    const fields = Array.from({ length: 7000 }, (_, index) => `"${index}":1`).join(',')
    const startedMs = performance.now()
    const response = await sendRaw(service.port, postJson('/notes', `{${fields}}`))
    const document = expectProblem(response, 400, 'VALIDATION_FAILED')
    expect(document.errors.length).toBeLessThanOrEqual(20)
    expect(performance.now() - startedMs).toBeLessThan(5000)
  })

  it('points at each error', async () => {
    const body = '{"stars":9,"tags":["ok",3],"a/b":1}'
    const { errors } = expectProblem(
      await sendRaw(service.port, postJson('/notes', body)),
      400,
      'VALIDATION_FAILED',
    )
    const found = errors.map(({ pointer, code }: { pointer: string; code: string }) => [
      pointer,
      code,
    ])
    expect(found).toEqual(
      expect.arrayContaining([
        ['/text', 'required'],
        ['/stars', 'maximum'],
        ['/tags/1', 'type'],
        ['/a~1b', 'additionalProperties'],
      ]),
    )
  })
})

describe('query, path and method', () => {
  it.each([
    ['a duplicated scalar', '/notes?limit=1&limit=2', '/query/limit'],
    ['text for a number', '/notes?limit=abc', '/query/limit'],
    ['an unknown key', '/notes?canary=1', '/query/canary'],
    ['a nested key', '/notes?limit[__proto__][x]=1', '/query/limit[__proto__][x]'],
  ])('SEC-N08 rejects %s', async (_name, path, pointer) => {
    const response = await sendRaw(service.port, request('GET', path, {}))
    expect(response.status).toBe(400)
    const document = JSON.parse(response.body)
    expect(document.code).toBe(`${GENERAL}VALIDATION_FAILED`)
    expect(document.errors[0].pointer).toBe(pointer)
  })

  it('converts numbers in text, and a single value to a list', async () => {
    const response = await sendRaw(service.port, request('GET', '/notes?limit=5&tag=a', {}))
    expect(JSON.parse(response.body)).toEqual({ limit: 5, tag: ['a'] })
  })

  it.each([
    ['an unknown path', 'GET', '/nope?token=canary', 404, 'ROUTE_NOT_FOUND'],
    ['an unknown path with a body', 'POST', '/nope', 404, 'ROUTE_NOT_FOUND'],
    ['a broken escape', 'GET', '/%zz', 400, 'VALIDATION_FAILED'],
    ['a very long parameter', 'GET', `/notes/${'a'.repeat(500)}`, 404, 'ROUTE_NOT_FOUND'],
    ['a wrong method', 'PUT', '/notes', 405, 'METHOD_NOT_ALLOWED'],
    ['a wrong method on a pattern', 'PATCH', '/notes/1', 405, 'METHOD_NOT_ALLOWED'],
    ['a rare method', 'PROPFIND', '/nope', 404, 'ROUTE_NOT_FOUND'],
  ])('rejects %s', async (_name, method, path, status, code) => {
    const response = await sendRaw(service.port, request(method, path, {}))
    expectProblem(response, status, code)
    expect(response.headers['allow']?.includes('GET') ?? false).toBe(status === 405)
  })

  it('returns no body to HEAD, and to OPTIONS the methods without CORS headers', async () => {
    const head = await sendRaw(service.port, request('HEAD', '/notes/1', {}), { timeoutMs: 300 })
    expect([head.status, head.body]).toEqual([200, ''])
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const options = await sendRaw(service.port, request('OPTIONS', '/notes', preflight))
    expect(options.status).toBe(204)
    expect(options.headers['allow']).toBe('GET, HEAD, POST, OPTIONS')
    expect(options.text).not.toMatch(/access-control-allow/i)
  })
})

describe('origin of mutations (D3)', () => {
  it.each([
    ['same-site', { 'sec-fetch-site': 'same-site' }],
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['an unknown value', { 'sec-fetch-site': 'whatever' }],
    ['a foreign origin', { origin: 'https://other.localhost' }],
    ['the null origin', { origin: 'null' }],
    ['a host that starts with ours', { origin: 'http://localhost.evil.example' }],
  ])('rejects %s', async (_name, headers) => {
    const response = await sendRaw(service.port, postJson('/notes', ok, headers))
    expectProblem(response, 403, 'CROSS_SITE_REQUEST')
    const removal = await sendRaw(service.port, request('DELETE', '/notes/1', headers))
    expectProblem(removal, 403, 'CROSS_SITE_REQUEST')
  })

  it.each([
    ['same-origin', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }],
    ['a typed address', { 'sec-fetch-site': 'none' }],
    ['our own origin', { origin: 'http://localhost' }],
    ['no browser header', {}],
  ])('accepts %s', async (_name, headers) => {
    const response = await sendRaw(service.port, postJson('/notes', ok, headers))
    expect(response.status).toBe(201)
    service.stored.length = 0
  })

  it('allows reads from any site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await sendRaw(service.port, request('GET', '/notes/1', headers))).status).toBe(200)
  })
})

describe('malformed HTTP', () => {
  const smuggled = 'GET /notes/smuggled HTTP/1.1\r\nhost: x\r\n\r\n'
  it.each([
    ['garbage', 'hello there\r\n\r\n'],
    ['an unknown method', 'BREW /notes HTTP/1.1\r\nhost: x\r\n\r\n'],
    [
      'length and chunks',
      `POST /notes HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'two lengths',
      `POST /notes HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\ncontent-length: 44\r\n\r\n${smuggled}`,
    ],
    [
      'an unknown coding',
      `POST /notes HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked\r\n\r\n${smuggled}`,
    ],
    ['a space before the colon', `GET /notes HTTP/1.1\r\nhost : x\r\n\r\n`],
    ['a folded header', 'GET /notes HTTP/1.1\r\nhost: x\r\nx-a: b\r\n c\r\n\r\n'],
    [
      'a broken chunk',
      'POST /notes HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\nZZ\r\n',
    ],
    ['no host', 'GET /notes HTTP/1.1\r\n\r\n'],
  ])('SEC-N02 returns one 400 and closes the connection: %s', async (_name, text) => {
    const response = await sendRaw(service.port, text)
    expect(response.status).toBe(400)
    expect(response.text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(response.text).not.toContain('smuggled')
    expect(response.headers['connection']).toBe('close')
  })

  it('returns 431 for headers of 17 KiB', async () => {
    const response = await sendRaw(
      service.port,
      request('GET', '/notes', { 'x-a': 'a'.repeat(17_000) }),
    )
    expectProblem(response, 431, 'HEADERS_TOO_LARGE')
  })

  it('ignores malformed cookies', async () => {
    const headers = { cookie: '__Host-gms_id=%%%;;;=;\x01' }
    const response = await sendRaw(
      service.port,
      request('GET', '/notes/1', { cookie: headers.cookie.slice(0, -1) }),
    )
    expect(response.status).toBe(200)
  })
})

describe('slow clients', () => {
  it('SEC-N01 times out headers that arrive slowly', async () => {
    const pieces = Array.from({ length: 50 }, (_, index) => `x-${index}: 1\r\n`)
    const head = 'GET /notes HTTP/1.1\r\nhost: x\r\n'
    const response = await sendRaw(service.port, head, { later: { pieces, everyMs: 100 } })
    expectProblem(response, 408, 'REQUEST_TIMEOUT')
  })

  it('times out a body that arrives slowly', async () => {
    const head = request('POST', '/notes', { ...json, 'content-length': '1000' }, '{"text":"')
    const pieces = Array.from({ length: 60 }, () => 'a')
    const response = await sendRaw(service.port, head, { later: { pieces, everyMs: 100 } })
    expectProblem(response, 408, 'REQUEST_TIMEOUT')
  })
})
