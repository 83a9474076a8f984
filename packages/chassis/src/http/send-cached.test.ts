import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { type CacheEntry, makeEntry } from '../cache/cache-entry.ts'
import { CachedBytes } from '../cache/cached-bytes.ts'
import { decodeFrame, encodeFrame } from '../cache/frame.ts'
import { buildApp } from './build-app.ts'
import { addHeader, dropHeader } from './response-headers.ts'
import { acceptedEncodings, matchesEtag, sendCached } from './send-cached.ts'

const body = Buffer.from(
  JSON.stringify({ hotels: Array.from({ length: 300 }, (_, id) => ({ id })) }),
)

function entryOf(status = 200, content = body): Promise<CacheEntry> {
  const headers = { 'content-type': 'application/json', 'content-language': 'fa-AF' }
  const lifetime = { createdAtMs: 0, softExpiryMs: 1, staleUntilMs: 1, hardExpiryMs: 1, loadMs: 1 }
  const facts = { note: 'kept, not sent' }
  return makeEntry({ body: content, status, headers, facts, lifetime }, { compress: true })
}

function appFor(hit: CachedBytes): FastifyInstance {
  const app = Fastify()
  app.get('/', (_request, reply) =>
    sendCached(reply, hit, { cacheControl: 'public, max-age=15', vary: 'X-Currency' }),
  )
  return app
}

async function ask(hit: CachedBytes, headers: InjectOptions['headers'] = {}) {
  const app = appFor(hit)
  try {
    return await app.inject({ method: 'GET', url: '/', headers })
  } finally {
    await app.close()
  }
}

describe('sendCached', () => {
  it('sends the form the client prefers and can read', async () => {
    const entry = await entryOf()
    const hit = new CachedBytes(entry, 'hit', 12_345)
    const brotli = await ask(hit, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.rawPayload)).toEqual(body)
    const gzipped = await ask(hit, { 'accept-encoding': 'gzip, br;q=0' })
    expect(gzipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzipped.rawPayload)).toEqual(body)
    const plain = await ask(hit)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.rawPayload).toEqual(body)
  })

  it('sets the headers of the entry and of this answer', async () => {
    const { statusCode, headers } = await ask(new CachedBytes(await entryOf(), 'stale', 12_345))
    expect(statusCode).toBe(200)
    expect(JSON.stringify(headers)).not.toContain('kept, not sent')
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

  it('writes what a route said before, and answers HEAD with the head alone', async () => {
    const app = await buildApp({ service: 'cached' })
    const hit = new CachedBytes(await entryOf(), 'hit', 0)
    app.get('/', (_request, reply) => {
      addHeader(reply, 'x-added', 'yes')
      reply.header('content-security-policy', 'its own').header('set-cookie', ['a=1', 'b=2'])
      sendCached(reply, hit)
    })
    const answers = await Promise.all([app.inject('/'), app.inject({ method: 'HEAD', url: '/' })])
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy': 'its own',
        'cross-origin-resource-policy': 'same-origin',
        'x-added': 'yes',
        'content-length': String(body.length),
        'set-cookie': ['a=1', 'b=2'],
      })
    }
    expect(answers.map(({ rawPayload }) => rawPayload.length)).toEqual([body.length, 0])
    await app.close()
  })

  it('leaves out what was taken back, however often it was said', async () => {
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

  it('tells the state and age of the entry that the bytes were derived from', async () => {
    const derived = new CachedBytes(await entryOf(), 'miss', 3)
    const app = Fastify()
    app.get('/', (_request, reply) =>
      sendCached(reply, derived, { servedFor: { state: 'stale', ageMs: 75_000 } }),
    )
    const { headers } = await app.inject('/')
    expect(headers).toMatchObject({ 'x-cache': 'STALE', age: '75' })
    await app.close()
  })

  it('answers 304 without a body when the client has it, whatever its encoding', async () => {
    const entry = await entryOf()
    const hit = new CachedBytes(entry, 'hit', 0)
    const { etag } = entry.fields
    const same = await ask(hit, { 'if-none-match': `"other", ${etag.slice(2)}` })
    expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', etag])
    expect(same.headers).toMatchObject({ 'x-cache': 'HIT', 'cache-control': 'public, max-age=15' })
    const other = await ask(hit, { 'if-none-match': '"other"' })
    expect(other.statusCode).toBe(200)
  })

  it('sends a kept 404 as such, and small bodies plain', async () => {
    const entry = await entryOf(404, Buffer.from('{}'))
    const hit = new CachedBytes(entry, 'hit', 0)
    const headers = { 'if-none-match': entry.fields.etag, 'accept-encoding': 'br' }
    const reply = await ask(hit, headers)
    expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([404, undefined])
  })

  it('makes a smaller form only of what is asked for again', async () => {
    const entry = decodeFrame(encodeFrame(await entryOf()))
    if (entry === null) throw new TypeError('the frame is whole')
    const accept = { 'accept-encoding': 'gzip, br' }
    const sizeNow = async () =>
      (await ask(new CachedBytes(entry, 'hit', 0), accept)).rawPayload.length
    const quick = await sizeNow()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await sizeNow()).toBe(quick)
    await expect.poll(() => entry.brotli?.length).toBeLessThan(quick)
    expect(await sizeNow()).toBeLessThan(quick)
  })

  it('makes gzip of a large body behind the answer, and sends it plain meanwhile', async () => {
    const large = Buffer.from(JSON.stringify(Array.from({ length: 50_000 }, (_, id) => id)))
    const hit = new CachedBytes(await entryOf(200, large), 'hit', 0)
    const encodingNow = async () =>
      (await ask(hit, { 'accept-encoding': 'gzip' })).headers['content-encoding']
    expect(await encodingNow()).toBeUndefined()
    await expect.poll(() => hit.gzip?.length ?? 0).toBeGreaterThan(0)
    expect(await encodingNow()).toBe('gzip')
  })
})

describe('negotiation', () => {
  it.each([
    ['', false, false],
    ['br', true, false],
    ['gzip', false, true],
    ['BR, GZIP', true, true],
    ['*', true, true],
    ['br;q=0, *', false, true],
    ['br;q=0.0,gzip; q=0.001', false, true],
    ['identity;q=1, *;q=0', false, false],
    ['brotli, xgzip', false, false],
  ])('reads Accept-Encoding %j', (header, br, gzip) => {
    expect(acceptedEncodings(header)).toEqual({ br, gzip })
    expect(acceptedEncodings(header)).toBe(acceptedEncodings(header))
  })

  it('compares tags weakly (RFC 9110 §13.1.2)', () => {
    expect(matchesEtag('W/"a"', 'W/"a"')).toBe(true)
    expect(matchesEtag('"a"', 'W/"a"')).toBe(true)
    expect(matchesEtag('"b" , W/"a"', 'W/"a"')).toBe(true)
    expect(matchesEtag('*', 'W/"a"')).toBe(true)
    expect(matchesEtag('"ab"', 'W/"a"')).toBe(false)
  })
})
