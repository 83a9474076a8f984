import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTracer } from '../../src/telemetry/index.ts'
import { createUpstream, type Upstream } from '../../src/upstream/index.ts'
import { startTestApp } from './_app.ts'
import { sendRaw } from './_raw-socket.ts'

/**
 * The cases of the W3C Trace Context specification and of its test suite, each sent through a
 * service: a request over a socket, and the headers of the call that the service makes upstream.
 */
const traceId = '12345678901234567890123456789012'
const spanId = '1234567890123456'
const parent = (rest = '01', version = '00') => `${version}-${traceId}-${spanId}-${rest}`
const valid = ['traceparent', parent('00')] as const

type Header = readonly [name: string, value: string]

interface Hop {
  readonly trace: { readonly id: string; readonly span: string; readonly flags: string }
  readonly tracestate: string | undefined
  readonly requestId: string | undefined
}

const received: IncomingHttpHeaders[] = []
const server = createServer((request, response) => {
  received.push(request.headers)
  response.setHeader('content-type', 'application/json').end('{}')
})
const upstreams: Upstream[] = []

async function startHop(recorded: boolean) {
  const { port } = server.address() as AddressInfo
  const tracer = createTracer({
    service: 'test',
    exporter: new InMemorySpanExporter(),
    sampleRatio: recorded ? 1 : 0,
  })
  const upstream = createUpstream({
    name: 'other',
    baseUrl: `http://127.0.0.1:${port}`,
    timeoutMs: 2000,
    retries: 0,
    tracer,
  })
  upstreams.push(upstream)
  return startTestApp({
    tracer,
    trustsCallerSampling: false,
    routes: (app) => {
      app.get('/hop', async ({ deadline, trace }) => {
        const call = {
          operation: 'hop',
          method: 'GET',
          path: '/',
          schema: Type.Object({}),
        } as const
        await Promise.all([1, 2, 3].map(() => upstream.call({ ...call, deadline, trace })))
        return {}
      })
    },
  })
}

let apps: Awaited<ReturnType<typeof startHop>>[] = []

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  apps = [await startHop(false), await startHop(true)]
})
afterAll(async () => {
  for (const app of apps) await app[Symbol.asyncDispose]()
  for (const upstream of upstreams) await upstream[Symbol.asyncDispose]()
  server.close()
})

/**
 * The headers of three upstream calls, for a service that records spans and for one that does not.
 */
async function hops(headers: readonly Header[]): Promise<Hop[]> {
  const all: Hop[] = []
  for (const { port } of apps) {
    received.length = 0
    const lines = headers.map(([name, value]) => `${name}:${value}\r\n`).join('')
    const text = `GET /hop HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${lines}\r\n`
    expect((await sendRaw(port, text)).status).toBe(200)
    all.push(...received.map(readHop))
  }
  expect(all).toHaveLength(6)
  return all
}

function readHop(headers: IncomingHttpHeaders): Hop {
  const sent = String(headers['traceparent'])
  const [, id = '', span = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/.exec(sent) ?? []
  const { tracestate, 'x-request-id': requestId } = headers as Record<string, string | undefined>
  return { trace: { id, span, flags }, tracestate, requestId }
}

describe('traceparent', () => {
  it.each<[string, Header[]]>([
    ['a valid header', [['traceparent', parent()]]],
    ['unsampled', [['traceparent', parent('00')]]],
    ['unknown flags', [['traceparent', parent('ff')]]],
    ['another case of the name', [['TrAcEpArEnT', parent()]]],
    ['version cc', [['traceparent', parent('01', 'cc')]]],
    ['version cc with more fields', [['traceparent', parent('01-what-the-future-holds', 'cc')]]],
    ['white space around it', [['traceparent', ` \t${parent()} \t`]]],
  ])('continues the trace: %s', async (_name, headers) => {
    const found = await hops(headers)
    expect(new Set(found.map(({ trace }) => trace.id))).toEqual(new Set([traceId]))
    const spans = new Set(found.map(({ trace }) => trace.span))
    expect(spans.size).toBe(6)
    expect(spans).not.toContain(spanId)
  })

  it.each<[string, Header[]]>([
    ['no header', []],
    ['a wrong name', [['trace-parent', parent()]]],
    [
      'two headers',
      [
        ['traceparent', parent()],
        ['traceparent', parent()],
      ],
    ],
    ['version 00 with a trailing dot', [['traceparent', parent('01.')]]],
    ['version 00 with more fields', [['traceparent', parent('01-more')]]],
    ['version cc with a trailing dot', [['traceparent', parent('01.more', 'cc')]]],
    ['version ff', [['traceparent', parent('01', 'ff')]]],
    ['an illegal version', [['traceparent', parent('01', '.0')]]],
    ['an illegal second digit of the version', [['traceparent', parent('01', '0.')]]],
    ['a long version', [['traceparent', parent('01', '000')]]],
    ['a longer version', [['traceparent', parent('01', '0000')]]],
    ['a short version', [['traceparent', parent('01', '0')]]],
    ['a zero trace id', [['traceparent', parent().replace(traceId, '0'.repeat(32))]]],
    ['an illegal trace id', [['traceparent', parent().replace(traceId, `.${traceId.slice(1)}`)]]],
    ['a trace id in upper case', [['traceparent', parent().replace(traceId, 'A'.repeat(32))]]],
    ['a long trace id', [['traceparent', parent().replace(traceId, `${traceId}3`)]]],
    ['a short trace id', [['traceparent', parent().replace(traceId, traceId.slice(1))]]],
    ['a zero parent id', [['traceparent', `00-${traceId}-${'0'.repeat(16)}-01`]]],
    ['an illegal parent id', [['traceparent', `00-${traceId}-.${spanId.slice(1)}-01`]]],
    ['a long parent id', [['traceparent', `00-${traceId}-${spanId}7-01`]]],
    ['a short parent id', [['traceparent', `00-${traceId}-${spanId.slice(1)}-01`]]],
    ['illegal flags', [['traceparent', parent('.0')]]],
    ['an illegal second digit of the flags', [['traceparent', parent('0.')]]],
    ['long flags', [['traceparent', parent('001')]]],
    ['short flags', [['traceparent', parent('1')]]],
  ])('starts a new trace and ignores tracestate: %s', async (_name, headers) => {
    const found = await hops([...headers, ['tracestate', 'foo=1']])
    for (const { trace, tracestate } of found) {
      expect(trace.id).toMatch(/^[0-9a-f]{32}$/)
      expect(['0'.repeat(32), 'A'.repeat(32), traceId]).not.toContain(trace.id)
      expect(tracestate).toBeUndefined()
    }
    expect(new Set(found.map(({ trace }) => trace.id)).size).toBe(2)
    expect(new Set(found.map(({ trace }) => trace.span)).size).toBe(6)
  })
})

const members = (count: number) => Array.from({ length: count }, (_, at) => `bar${at + 10}=${at}`)
const keyCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789_-*/'
const valueCharacters = Array.from({ length: 95 }, (_, at) => String.fromCharCode(0x20 + at))
  .filter((character) => character !== ',' && character !== '=')
  .join('')
const long = (key: string, length: number) => `${key}=${'v'.repeat(length - key.length - 1)}`

describe('tracestate', () => {
  it.each<[string, string[], string]>([
    ['one line', ['foo=1,bar=2'], 'foo=1,bar=2'],
    [
      'several lines in order',
      ['foo=1,bar=2', 'rojo=1,congo=2', 'baz=3'],
      'foo=1,bar=2,rojo=1,congo=2,baz=3',
    ],
    ['an empty line after', ['foo=1', ''], 'foo=1'],
    ['an empty line before', ['', 'foo=1'], 'foo=1'],
    ['empty members', ['foo=1,,,bar=2,'], 'foo=1,bar=2'],
    ['spaces and tabs around members', ['foo=1 \t , \t bar=2, \t baz=3'], 'foo=1,bar=2,baz=3'],
    ['white space around the line', ['\t foo=1 \t'], 'foo=1'],
    [
      'all characters',
      [`${keyCharacters}=${valueCharacters}`],
      `${keyCharacters}=${valueCharacters}`,
    ],
    ['a key with a vendor', [`${keyCharacters}@a-z0-9_-*/=1`], `${keyCharacters}@a-z0-9_-*/=1`],
    ['a key that begins with a digit', ['0a=1'], '0a=1'],
    [
      '32 members',
      [members(32).slice(0, 20).join(), members(32).slice(20).join()],
      members(32).join(),
    ],
    ['a key of 256 characters', ['foo=1', `${'z'.repeat(256)}=1`], `foo=1,${'z'.repeat(256)}=1`],
    [
      'a tenant of 241 and a vendor of 14',
      [`${'t'.repeat(241)}@${'v'.repeat(14)}=1`],
      `${'t'.repeat(241)}@${'v'.repeat(14)}=1`,
    ],
    ['a value of 256 characters', [long('a', 258)], long('a', 258)],
    ['512 characters', [long('a', 253), long('b', 258)], `${long('a', 253)},${long('b', 258)}`],
    [
      'long members removed first',
      [[long('a', 100), long('b', 200), ...['c', 'd', 'e'].map((key) => long(key, 100))].join()],
      ['a', 'c', 'd', 'e'].map((key) => long(key, 100)).join(),
    ],
    [
      'then members from the end',
      [['a', 'b', 'c', 'd', 'e', 'f'].map((key) => long(key, 100)).join()],
      ['a', 'b', 'c', 'd', 'e'].map((key) => long(key, 100)).join(),
    ],
  ])('is sent on: %s', async (_name, lines, expected) => {
    const found = await hops([valid, ...lines.map((line) => ['tracestate', line] as const)])
    expect(new Set(found.map(({ tracestate }) => tracestate))).toEqual(new Set([expected]))
    expect(new Set(found.map(({ trace }) => trace.id))).toEqual(new Set([traceId]))
  })

  it('is propagated for any letter case of its name', async () => {
    const found = await hops([valid, ['TrAcEsTaTe', 'foo=1']])
    expect(new Set(found.map(({ tracestate }) => tracestate))).toEqual(new Set(['foo=1']))
  })

  it.each<[string, string[]]>([
    ['an empty line', ['']],
    ['only separators', [', ,']],
    ['duplicate keys', ['foo=1,foo=1']],
    ['duplicate keys with other values', ['foo=1,foo=2']],
    ['duplicate keys in two lines', ['foo=1', 'foo=2']],
    ['a space in a key', ['foo =1']],
    ['a key in upper case', ['FOO=1']],
    ['a dot in a key', ['foo.bar=1']],
    ['no vendor after @', ['foo@=1,bar=2']],
    ['no tenant before @', ['@foo=1,bar=2']],
    ['two @', ['foo@@bar=1,bar=2']],
    ['two vendors', ['foo@bar@baz=1,bar=2']],
    ['33 members', [members(33).join()]],
    ['a key of 257 characters', ['foo=1', `${'z'.repeat(257)}=1`]],
    ['a tenant of 242 characters', ['foo=1', `${'t'.repeat(242)}@v=1`]],
    ['a vendor of 15 characters', ['foo=1', `t@${'v'.repeat(15)}=1`]],
    ['a value of 257 characters', [long('a', 259)]],
    ['an equals sign in a value', ['foo=bar=baz']],
    ['an empty value', ['foo=,bar=3']],
    ['no equals sign', ['foo']],
    ['a byte that is not ASCII', ['foo=\xe9']],
  ])('is dropped, and the trace continues: %s', async (_name, lines) => {
    const found = await hops([valid, ...lines.map((line) => ['tracestate', line] as const)])
    expect(new Set(found.map(({ tracestate }) => tracestate))).toEqual(new Set([undefined]))
    expect(new Set(found.map(({ trace }) => trace.id))).toEqual(new Set([traceId]))
  })

  it('is ignored under another name', async () => {
    const found = await hops([valid, ['trace-state', 'foo=1'], ['trace.state', 'foo=1']])
    expect(new Set(found.map(({ tracestate }) => tracestate))).toEqual(new Set([undefined]))
  })
})

describe('X-Request-Id', () => {
  const given = 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV'

  it('is sent upstream, as the caller gave it', async () => {
    const found = await hops([['x-request-id', given]])
    expect(new Set(found.map(({ requestId }) => requestId))).toEqual(new Set([given]))
  })

  it('is sent upstream, as we made it', async () => {
    const found = await hops([['x-request-id', 'not one of ours']])
    const ids = new Set(found.map(({ requestId }) => requestId))
    expect(ids.size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/)
  })
})
