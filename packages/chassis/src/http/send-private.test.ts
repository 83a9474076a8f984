import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, buildApp } from './build-app.ts'
import { addHeader } from './response-headers.ts'
import { sendPrivateJson } from './send-private.ts'

const TEXT = JSON.stringify({ name: 'زرغونه' })

let app: App
beforeAll(async () => {
  app = await buildApp({ service: 'private' })
  app.get('/text', (_request, reply) => {
    addHeader(reply, 'x-added', 'yes')
    reply.header('set-cookie', ['a=1', 'b=2'])
    sendPrivateJson(reply, TEXT)
  })
  app.get('/bytes', async (_request, reply) => {
    sendPrivateJson(reply.code(203), Buffer.from(TEXT), 'private, no-cache')
  })
})
afterAll(() => app.close())

describe('private JSON', () => {
  it('is sent with the headers of the route, and stored by no cache', async () => {
    const { statusCode, headers, body } = await app.inject('/text')
    expect([statusCode, body]).toEqual([200, TEXT])
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(TEXT)),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'x-added': 'yes',
      'set-cookie': ['a=1', 'b=2'],
    })
    expect(headers['x-request-id']).toMatch(/^req_/)
  })

  it('is also sent from bytes, with the status of the route', async () => {
    const { statusCode, headers, body } = await app.inject('/bytes')
    expect([statusCode, body]).toEqual([203, TEXT])
    expect(headers['cache-control']).toBe('private, no-cache')
  })

  it('has no body for HEAD', async () => {
    const { headers, rawPayload } = await app.inject({ method: 'HEAD', url: '/text' })
    expect([headers['content-length'], rawPayload.length]).toEqual([
      String(Buffer.byteLength(TEXT)),
      0,
    ])
  })

  it.each([
    ['br, gzip', undefined, (bytes: Buffer) => bytes],
    ['br, identity;q=0', 'br', brotliDecompressSync],
    ['gzip, *;q=0', 'gzip', gunzipSync],
  ])('for Accept-Encoding %j has the encoding %s', async (accepted, encoding, decode) => {
    const headers = { 'accept-encoding': accepted }
    for (const url of ['/text', '/bytes']) {
      const response = await app.inject({ url, headers })
      expect(response.headers['content-encoding']).toBe(encoding)
      expect(decode(response.rawPayload).toString()).toBe(TEXT)
    }
  })
})
