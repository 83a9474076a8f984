import { latch } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp } from './_app.ts'
import { converse, postJson, type RawConversation, request } from './_raw-socket.ts'

let service: Awaited<ReturnType<typeof startTestApp>>
const gate = { entered: latch(), open: latch() }
const waiting: { entered: ReturnType<typeof latch>; later: ReturnType<typeof latch> }[] = []

beforeAll(async () => {
  service = await startTestApp({
    headersTimeoutMs: 600,
    requestTimeoutMs: 800,
    routes: (app) => {
      app.get('/slow', async () => {
        gate.entered.open()
        await gate.open.promise
        return { slow: true }
      })
      app.get('/waiting', async () => {
        const next = waiting.shift()
        next?.entered.open()
        await next?.later.promise
        return { waited: true }
      })
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

const head = (method: string, path: string, lines: string) =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines}\r\n`
const outstanding = 'content-length: 100\r\n'
const chunked = 'transfer-encoding: chunked\r\n'
const json = 'content-type: application/json\r\n'

function statusesOf({ responses }: RawConversation): number[] {
  return responses.map(({ status }) => status)
}

describe('a response before the body has arrived', () => {
  const crossSite = 'sec-fetch-site: cross-site\r\n'
  const cases: [string, string[], number][] = [
    ['403', [`${head('POST', '/notes', json + crossSite + outstanding)}abc`], 403],
    [
      '403, then the rest shaped like a request',
      [head('POST', '/notes', json + crossSite + outstanding), request('GET', '/notes/x', {})],
      403,
    ],
    [
      '403, then a broken chunk',
      [`${head('POST', '/notes', json + crossSite + chunked)}3\r\nabc\r\n`, 'ZZ\r\n'],
      403,
    ],
    ['415', [`${head('POST', '/notes', `content-type: text/x\r\n${outstanding}`)}abc`], 415],
    ['404', [`${head('POST', '/nothing', json + outstanding)}abc`], 404],
    ['405', [`${head('PUT', '/notes', json + outstanding)}abc`], 405],
    ['200 to GET with a body', [`${head('GET', '/notes/1', outstanding)}abc`], 200],
  ]

  it.each(cases)(
    'is the only one, and the connection is closed: %s',
    async (...[, pieces, status]) => {
      const conversation = await converse(service.port, pieces)
      expect(statusesOf(conversation)).toEqual([status])
      expect(conversation.closed).toBe(true)
    },
  )

  it('leaves the connection usable when the rest of the body arrives in time', async () => {
    const conversation = await converse(
      service.port,
      [
        head('POST', '/notes', `${json}${crossSite}content-length: 6\r\n`),
        'abcdef',
        request('GET', '/notes/1', { connection: 'close' }),
      ],
      { timeoutMs: 2500 },
    )
    expect(statusesOf(conversation)).toEqual([403, 200])
  })
})

describe('many early responses on one connection', () => {
  it('add no listener each', async () => {
    const warnings: string[] = []
    const note = ({ name }: Error) => warnings.push(name)
    process.on('warning', note)
    const lines = `${json}sec-fetch-site: cross-site\r\ncontent-length: 6\r\n`
    const pieces = Array.from({ length: 20 }, () => [head('POST', '/notes', lines), 'abcdef'])
    const end = request('GET', '/notes/1', { connection: 'close' })
    const conversation = await converse(service.port, [...pieces.flat(), end], { pauseMs: 10 })
    process.off('warning', note)
    expect(statusesOf(conversation)).toEqual([...Array.from({ length: 20 }, () => 403), 200])
    expect(warnings).toEqual([])
  })
})

describe('pipelined requests', () => {
  it('responds to a valid request before the 400 for the garbage behind it', async () => {
    const text = `${postJson('/notes', '{"text":"a"}')}GARBAGE\r\n\r\n`
    const conversation = await converse(service.port, [text])
    expect(statusesOf(conversation)).toEqual([201, 400])
    expect(conversation.closed).toBe(true)
    service.stored.length = 0
  })

  it('waits for the response of a request that is still being processed', async () => {
    const running = converse(service.port, [
      request('GET', '/slow', {}),
      `GARBAGE\r\n\r\n${'x'.repeat(200)}`,
      'more garbage',
    ])
    await gate.entered.promise
    // The garbage follows within 50 ms; the first response is given after it.
    setTimeout(() => gate.open.open(), 200)
    const conversation = await running
    expect(statusesOf(conversation)).toEqual([200, 400])
    expect(conversation.closed).toBe(true)
  })

  const behind: [string, string, number][] = [
    ['a body that is too large', head('POST', '/notes', `${json}content-length: 999999\r\n`), 413],
    ['CONNECT', 'CONNECT host:1 HTTP/1.1\r\nhost: host:1\r\n\r\n', 405],
  ]
  it.each(behind)(
    'responds in order when the second one ends the connection: %s',
    async (...[, text, status]) => {
      const later = latch()
      const entered = latch()
      waiting.push({ entered, later })
      const running = converse(service.port, [request('GET', '/waiting', {}) + text])
      await entered.promise
      setTimeout(() => later.open(), 200)
      const { responses, closed } = await running
      expect(responses.map((response) => response.status)).toEqual([200, status])
      expect(responses[0]?.body).toBe('{"waited":true}')
      expect(closed).toBe(true)
    },
  )

  it('responds once to a request whose body is broken', async () => {
    const text = `${request('GET', '/notes/1', {})}${head('POST', '/notes', json + chunked)}ZZ\r\n`
    const conversation = await converse(service.port, [text])
    expect(statusesOf(conversation)).toEqual([200, 400])
    expect(conversation.closed).toBe(true)
  })
})

describe('input that is no valid request', () => {
  const sized = (size: string) =>
    `${head('POST', '/notes', json + chunked)}${size}\r\nabc\r\n0\r\n\r\n`
  const cases: [string, string, number][] = [
    ['two Host headers', head('GET', '/notes/1', 'host: other\r\n'), 400],
    ['two equal Host headers', head('GET', '/notes/1', 'host: localhost\r\n'), 400],
    ['a chunk size of 2^63', sized('8000000000000000'), 408],
    ['a chunk size of 2^64', sized('10000000000000000'), 400],
    ['HTTP/0.9 without a version', 'GET /notes/1\r\n\r\n', 400],
    ['HTTP/0.9 without an empty line', 'GET /notes/1\r\n', 408],
    ['HTTP/0.9 with a version', 'GET /notes/1 HTTP/0.9\r\nhost: x\r\n\r\n', 400],
    ['HTTP/1.2', 'GET /notes/1 HTTP/1.2\r\nhost: x\r\n\r\n', 400],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['CONNECT', head('CONNECT', 'localhost:443', ''), 405],
    ['a method in lower case', head('get', '/notes/1', ''), 400],
    ['a method that does not exist', head('BREW', '/notes/1', ''), 400],
    ['a NUL in a header', head('GET', '/notes/1', 'x-a: b\0c\r\n'), 400],
  ]

  it.each(cases)('gets one problem and a closed connection: %s', async (...[, text, status]) => {
    const conversation = await converse(service.port, [text])
    expect(statusesOf(conversation)).toEqual([status])
    expect(conversation.closed).toBe(true)
    expect(JSON.parse(conversation.responses[0]?.body ?? '')).toMatchObject({ status })
  })

  it('serves one Host header', async () => {
    const text = request('GET', '/notes/1', { connection: 'close' })
    expect(statusesOf(await converse(service.port, [text]))).toEqual([200])
  })
})
