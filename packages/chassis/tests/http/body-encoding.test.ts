import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp } from './_app.ts'
import { request, sendRaw } from './_raw-socket.ts'

let service: Awaited<ReturnType<typeof startTestApp>>

beforeAll(async () => {
  service = await startTestApp({
    routes: (app) => {
      app.post('/cached', { config: { cachesBodies: true } }, async ({ body }) => body)
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

/** The body is given as bytes, one character each. */
async function post(path: string, contentType: string, body: string) {
  const headers = { 'content-type': contentType, 'content-length': String(body.length) }
  const response = await sendRaw(service.port, request('POST', path, headers, body))
  return { ...response, code: response.status < 400 ? '' : JSON.parse(response.body).code }
}

const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('latin1')
const lastText = () => (service.stored.pop() as { text: string } | undefined)?.text

describe.each(['/notes', '/cached'])('the bytes of a body for %s', (path) => {
  it.each([
    ['a lone continuation byte', '{"text":"a\x80b"}'],
    ['an overlong slash', '{"text":"\xc0\xaf"}'],
    ['an encoded surrogate', '{"text":"\xed\xa0\x80"}'],
    ['a code point above U+10FFFF', '{"text":"\xf4\x90\x80\x80"}'],
    ['a sequence cut off', '{"text":"\xe2\x82"}'],
    ['Latin-1', '{"text":"caf\xe9"}'],
    ['UTF-16 with a byte order mark', `\xff\xfe${utf16('{"text":"a"}')}`],
    ['UTF-16 without one', utf16('{"text":"a"}')],
  ])('rejects %s with 400', async (_name, body) => {
    for (const _attempt of [1, 2]) {
      const { status, code } = await post(path, 'application/json', body)
      expect([status, code]).toEqual([400, 'MELMASTOON.GENERAL.MALFORMED_BODY'])
    }
    expect(service.stored).toEqual([])
  })
})

describe('text that is accepted', () => {
  it.each([
    ['several scripts', 'کابل Zürich 東京 🏨'],
    ['a replacement character that was sent as such', 'a\ufffdb'],
  ])('%s arrives unchanged', async (_name, text) => {
    expect(
      (await post('/notes', 'application/json', bytesOf(JSON.stringify({ text })))).status,
    ).toBe(201)
    expect(lastText()).toBe(text)
  })

  it('ignores a UTF-8 byte order mark', async () => {
    expect((await post('/notes', 'application/json', '\xef\xbb\xbf{"text":"a"}')).status).toBe(201)
    expect(lastText()).toBe('a')
  })

  it('takes the last of duplicate keys', async () => {
    expect((await post('/notes', 'application/json', '{"text":"a","text":"b"}')).status).toBe(201)
    expect(lastText()).toBe('b')
  })
})

describe('the charset of Content-Type', () => {
  const body = '{"text":"a"}'

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; charset=us-ascii',
    'application/json; profile=x',
  ])('accepts %s', async (contentType) => {
    expect((await post('/notes', contentType, body)).status).toBe(201)
    expect(lastText()).toBe('a')
  })

  it.each([
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset="utf-7"',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset=',
    'application/json, text/plain',
    'application/vnd.api+json',
    'application/jsonp',
  ])('rejects %s with 415', async (contentType) => {
    const { status, code } = await post('/notes', contentType, body)
    expect([status, code]).toEqual([415, 'MELMASTOON.GENERAL.UNSUPPORTED_MEDIA_TYPE'])
    expect(service.stored).toEqual([])
  })
})
