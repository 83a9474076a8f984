import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { type CacheEntry, makeEntry } from '../cache/cache-entry.ts'
import { CachedBytes } from '../cache/cached-bytes.ts'
import { decodeFrame, encodeFrame } from '../cache/frame.ts'
import { buildApp } from './build-app.ts'
import { acceptedEncodings, acceptsJson } from './negotiation.ts'
import { addHeader, dropHeader } from './response-headers.ts'
import { matchesEtag, sendCached } from './send-cached.ts'

const body = Buffer.from(
  JSON.stringify({ hotels: Array.from({ length: 300 }, (_, id) => ({ id })) }),
)

function entryOf(status = 200, content = body): Promise<CacheEntry> {
  const headers = { 'content-type': 'application/json', 'content-language': 'fa-AF' }
  const lifetime = { createdAtMs: 0, softExpiryMs: 1, staleUntilMs: 1, hardExpiryMs: 1, loadMs: 1 }
  const facts = { note: 'stored, not sent' }
  return makeEntry({ body: content, status, headers, facts, lifetime }, { compress: true })
}

function appFor(hit: CachedBytes): FastifyInstance {
  const app = Fastify()
  app.route({
    url: '/',
    method: ['GET', 'POST'],
    handler: (_request, reply) =>
      sendCached(reply, hit, { cacheControl: 'public, max-age=15', vary: 'X-Currency' }),
  })
  return app
}

async function send(hit: CachedBytes, headers: InjectOptions['headers'] = {}) {
  const app = appFor(hit)
  try {
    return await app.inject({ method: 'GET', url: '/', headers })
  } finally {
    await app.close()
  }
}

describe('sendCached', () => {
  it('sends the encoding that the client prefers', async () => {
    const entry = await entryOf()
    const hit = new CachedBytes(entry, 'hit', 12_345)
    const brotli = await send(hit, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.rawPayload)).toEqual(body)
    const gzipped = await send(hit, { 'accept-encoding': 'gzip, br;q=0' })
    expect(gzipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzipped.rawPayload)).toEqual(body)
    const plain = await send(hit)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.rawPayload).toEqual(body)
  })

  it('sets the headers of the entry and of this response', async () => {
    const { statusCode, headers } = await send(new CachedBytes(await entryOf(), 'stale', 12_345))
    expect(statusCode).toBe(200)
    expect(JSON.stringify(headers)).not.toContain('stored, not sent')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-language': 'fa-AF',
      'content-length': String(body.length),
      'x-cache': 'STALE',
      age: '12',
      vary: 'X-Currency, Accept-Encoding',
      'cache-control': 'public, max-age=15',
    })
  })

  it('sends the headers that the route set, and no body to HEAD', async () => {
    const app = await buildApp({ service: 'cached' })
    const hit = new CachedBytes(await entryOf(), 'hit', 0)
    app.get('/', (_request, reply) => {
      addHeader(reply, 'x-added', 'yes')
      reply.header('content-security-policy', 'of the route').header('set-cookie', ['a=1', 'b=2'])
      sendCached(reply, hit)
    })
    const responses = await Promise.all([app.inject('/'), app.inject({ method: 'HEAD', url: '/' })])
    for (const { headers } of responses) {
      expect(headers).toMatchObject({
        'content-security-policy': 'of the route',
        'cross-origin-resource-policy': 'same-origin',
        'x-added': 'yes',
        'content-length': String(body.length),
        'set-cookie': ['a=1', 'b=2'],
      })
    }
    expect(responses.map(({ rawPayload }) => rawPayload.length)).toEqual([body.length, 0])
    await app.close()
  })

  it('omits a dropped header, however often it was added', async () => {
    const app = await buildApp({ service: 'cached' })
    const hit = new CachedBytes(await entryOf(), 'hit', 0)
    app.get('/', (_request, reply) => {
      for (const value of ['1', '2', '3']) addHeader(reply, 'x-own', value)
      addHeader(reply, 'x-added', 'yes')
      dropHeader(reply, 'x-own')
      sendCached(reply, hit)
    })
    const { headers } = await app.inject('/')
    expect([headers['x-own'], headers['x-added']]).toEqual([undefined, 'yes'])
    await app.close()
  })

  it('sends the state and age of the entry that the bytes were derived from', async () => {
    const derived = new CachedBytes(await entryOf(), 'miss', 3)
    const app = Fastify()
    app.get('/', (_request, reply) =>
      sendCached(reply, derived, { servedFor: { state: 'stale', ageMs: 75_000 } }),
    )
    const { headers } = await app.inject('/')
    expect(headers).toMatchObject({ 'x-cache': 'STALE', age: '75' })
    await app.close()
  })

  it('sends 304 without a body when the client has the entry in any encoding', async () => {
    const entry = await entryOf()
    const hit = new CachedBytes(entry, 'hit', 0)
    const { etag } = entry.fields
    const same = await send(hit, { 'if-none-match': `"other", ${etag.slice(2)}` })
    expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', etag])
    expect(same.headers).toMatchObject({ 'x-cache': 'HIT', 'cache-control': 'public, max-age=15' })
    const other = await send(hit, { 'if-none-match': '"other"' })
    expect(other.statusCode).toBe(200)
  })

  it('sends no 304 to POST (RFC 9110 §13.1.2)', async () => {
    const entry = await entryOf()
    const app = appFor(new CachedBytes(entry, 'hit', 0))
    const headers = { 'if-none-match': entry.fields.etag }
    const response = await app.inject({ method: 'POST', url: '/', headers })
    expect([response.statusCode, response.rawPayload]).toEqual([200, body])
    const any = await app.inject({ method: 'POST', url: '/', headers: { 'if-none-match': '*' } })
    expect(any.statusCode).toBe(200)
    await app.close()
  })

  it('compresses a small body for a client that rejects plain bytes', async () => {
    const small = Buffer.from('{"a":1}')
    const hit = new CachedBytes(await entryOf(200, small), 'hit', 0)
    const gzipped = await send(hit, { 'accept-encoding': 'gzip, identity;q=0' })
    expect(gzipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzipped.rawPayload)).toEqual(small)
    const brotli = await send(hit, { 'accept-encoding': 'br, *;q=0' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.rawPayload)).toEqual(small)
  })

  it('sends a cached 404 as such, and small bodies plain', async () => {
    const entry = await entryOf(404, Buffer.from('{}'))
    const hit = new CachedBytes(entry, 'hit', 0)
    const headers = { 'if-none-match': entry.fields.etag, 'accept-encoding': 'br' }
    const reply = await send(hit, headers)
    expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([404, undefined])
  })

  it('recompresses only entries that are requested again', async () => {
    const entry = decodeFrame(encodeFrame(await entryOf()))
    if (entry === null) throw new TypeError('the frame is invalid')
    const accept = { 'accept-encoding': 'gzip, br' }
    const sizeNow = async () =>
      (await send(new CachedBytes(entry, 'hit', 0), accept)).rawPayload.length
    const quick = await sizeNow()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await sizeNow()).toBe(quick)
    await expect.poll(() => entry.brotli?.length).toBeLessThan(quick)
    expect(await sizeNow()).toBeLessThan(quick)
  })

  it('compresses a large body after the response, and sends it plain meanwhile', async () => {
    const large = Buffer.from(JSON.stringify(Array.from({ length: 50_000 }, (_, id) => id)))
    const hit = new CachedBytes(await entryOf(200, large), 'hit', 0)
    const encodingNow = async () =>
      (await send(hit, { 'accept-encoding': 'gzip' })).headers['content-encoding']
    expect(await encodingNow()).toBeUndefined()
    await expect.poll(() => hit.gzip?.length ?? 0).toBeGreaterThan(0)
    expect(await encodingNow()).toBe('gzip')
  })
})

describe('negotiation', () => {
  it.each([
    ['', ['identity']],
    ['br', ['br', 'identity']],
    ['gzip', ['gzip', 'identity']],
    ['BR, GZIP', ['br', 'gzip', 'identity']],
    ['x-gzip', ['gzip', 'identity']],
    ['*', ['br', 'gzip', 'identity']],
    ['br;q=0, *', ['gzip', 'identity']],
    ['br;q=0.0,gzip; q=0.001', ['gzip', 'identity']],
    ['br;q=0.1, gzip;q=0.9', ['gzip', 'br', 'identity']],
    ['identity, gzip;q=0.5', ['identity', 'gzip']],
    ['identity;q=1, *;q=0', ['identity']],
    ['identity;q=0', []],
    ['*;q=0', []],
    ['gzip, identity;q=0', ['gzip']],
    ['gzip, *;q=0', ['gzip']],
    ['br;q=2, gzip;q=x', ['identity']],
    ['brotli, xgzip', ['identity']],
  ])('reads Accept-Encoding %j', (header, encodings) => {
    expect(acceptedEncodings(header)).toEqual(encodings)
    expect(acceptedEncodings(header)).toBe(acceptedEncodings(header))
  })

  it.each([
    ['application/json', true],
    ['Application/JSON; charset=utf-8', true],
    ['application/*', true],
    ['*/*', true],
    ['text/html, */*;q=0.1', true],
    ['text/html', false],
    ['application/problem+json', false],
    ['application/json;q=0', false],
    ['application/json;q=0, */*', false],
    ['application/*;q=0, */*', false],
    ['*/*;q=0', false],
    ['*/*;q=0, application/json;q=0.1', true],
    ['', true],
    [' , ;;;', true],
  ])('reads Accept %j', (header, accepted) => {
    expect(acceptsJson(header)).toBe(accepted)
  })

  it('compares tags weakly (RFC 9110 §13.1.2)', () => {
    expect(matchesEtag('W/"a"', 'W/"a"')).toBe(true)
    expect(matchesEtag('"a"', 'W/"a"')).toBe(true)
    expect(matchesEtag('"b" , W/"a"', 'W/"a"')).toBe(true)
    expect(matchesEtag('*', 'W/"a"')).toBe(true)
    expect(matchesEtag('"ab"', 'W/"a"')).toBe(false)
  })
})
