import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compress } from '../../src/http/negotiation.ts'
import { startTestApp } from './_app.ts'
import { type RawResponse, request, sendRaw } from './_raw-socket.ts'

let service: Awaited<ReturnType<typeof startTestApp>>
const effects: string[] = []

beforeAll(async () => {
  service = await startTestApp({
    openapi: { title: 'Test', version: '1.0.0' },
    internal: true,
    routes: (app) => {
      const schema = { response: { 200: Type.Object({ room: Type.String() }) } }
      app.get('/room', { schema }, async () => ({ room: 'blue' }))
      const nothing = { response: { 204: Type.Null() } }
      app.delete('/room', { schema: nothing }, async (_request, reply) =>
        reply.code(204).send(null),
      )
      app.post('/room', { schema }, async () => {
        effects.push('changed')
        return { room: 'red' }
      })
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

function send(method: string, path: string, headers: Record<string, string>): Promise<RawResponse> {
  return sendRaw(service.port, request(method, path, { connection: 'close', ...headers }))
}

describe('a request that accepts nothing we can send', () => {
  it.each([
    { accept: 'text/html' },
    { accept: 'application/json;q=0, */*' },
    { accept: '*/*;q=0' },
    { 'accept-encoding': 'identity;q=0' },
    { 'accept-encoding': '*;q=0' },
    { 'accept-encoding': 'zstd, *;q=0' },
  ])('is 406, and has no effect: %j', async (headers) => {
    for (const method of ['GET', 'POST']) {
      const response = await send(method, '/room', headers as Record<string, string>)
      expect(response.status).toBe(406)
      expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
      expect(JSON.parse(response.body).code).toBe('MELMASTOON.GENERAL.NOT_ACCEPTABLE')
    }
    expect(effects).toEqual([])
  })
})

describe('a request that accepts JSON', () => {
  it.each([
    {},
    { accept: '*/*' },
    { accept: '' },
    { accept: 'application/json' },
    { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    { 'accept-encoding': '' },
    { 'accept-encoding': 'gzip, deflate, br, zstd' },
  ])('is served: %j', async (headers) => {
    const response = await send('GET', '/room', headers as Record<string, string>)
    expect([response.status, response.body]).toEqual([200, '{"room":"blue"}'])
  })

  it.each([
    ['gzip, identity;q=0', 'gzip', gunzipSync],
    ['br, *;q=0', 'br', brotliDecompressSync],
  ] as const)(
    'is sent compressed where plain bytes are rejected: %s',
    async (...[value, encoding, unpack]) => {
      const response = await send('GET', '/room', { 'accept-encoding': value })
      expect([response.status, response.headers['content-encoding']]).toEqual([200, encoding])
      expect(unpack(Buffer.from(response.body, 'latin1')).toString()).toBe('{"room":"blue"}')
    },
  )
})

describe('a large document', () => {
  const document = JSON.stringify(
    Array.from({ length: 4_000 }, (_, at) => ({ operation: `note.${at}`, status: at * 7919 })),
  )
  const msOf = (work: () => unknown) => {
    const startedMs = performance.now()
    work()
    return performance.now() - startedMs
  }

  it('is compressed on demand in a fraction of the time that brotli takes by default', () => {
    const quickMs = msOf(() => compress('br', document))
    expect(quickMs).toBeLessThan(msOf(() => brotliCompressSync(document)) / 4)
    expect(brotliDecompressSync(compress('br', document)).toString()).toBe(document)
  })
})

describe('responses that are always sent', () => {
  it('a response without content', async () => {
    const headers = { accept: 'text/html', 'accept-encoding': 'identity;q=0' }
    expect((await send('DELETE', '/room', headers)).status).toBe(204)
  })

  it('problems, plain', async () => {
    const headers = { accept: 'image/png', 'accept-encoding': 'gzip, identity;q=0' }
    const response = await send('GET', '/limited', headers)
    expect([response.status, response.headers['content-encoding']]).toEqual([429, undefined])
    expect(JSON.parse(response.body).status).toBe(429)
  })

  it('health, metrics and documentation', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics', '/docs/']) {
      expect((await send('GET', path, { accept: 'image/png' })).status).toBe(200)
    }
  })
})
