import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BODY_BYTES_MAX,
  decodeResponse,
  encodeResponse,
  type PlainPayload,
  renderResponse,
} from './stored-response.ts'

describe('renderResponse', () => {
  it('serialises JSON once and sets its content type', () => {
    expect(renderResponse({ status: 201, body: { a: 1 }, headers: { Location: '/a' } })).toEqual({
      status: 201,
      headers: { location: '/a', 'content-type': 'application/json; charset=utf-8' },
      body: '{"a":1}',
    })
  })

  it('leaves an empty response empty', () => {
    expect(renderResponse({ status: 204 })).toEqual({ status: 204, headers: {}, body: '' })
  })

  it('uses a content type set by the route', () => {
    const made = renderResponse({ status: 200, body: 'x', headers: { 'Content-Type': 'text/csv' } })
    expect(made.headers).toEqual({ 'content-type': 'text/csv' })
  })

  it.each(['Set-Cookie', 'Date', 'traceparent', 'Tracestate', 'X-Request-Id', 'Content-Length'])(
    'does not store %s',
    (name) => {
      expect(renderResponse({ status: 204, headers: { [name]: 'x' } }).headers).toEqual({})
    },
  )
})

describe('encodeResponse', () => {
  it('restores the same bytes for any text and any binary body', () => {
    const bodies = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    )
    fc.assert(
      fc.property(bodies, (body) => {
        const payload = encodeResponse({ status: 200, headers: {}, body })
        const json = JSON.parse(JSON.stringify(payload)) as PlainPayload
        expect(Buffer.from(decodeResponse(200, json).body)).toEqual(Buffer.from(body))
      }),
    )
  })

  it('writes what jsonb cannot hold as base64', () => {
    expect(encodeResponse({ status: 200, headers: {}, body: 'a\u0000b' }).encoding).toBe('base64')
    expect(encodeResponse({ status: 200, headers: {}, body: '\ud800' }).encoding).toBe('base64')
    expect(encodeResponse({ status: 200, headers: {}, body: Buffer.from('ok') }).encoding).toBe(
      'utf8',
    )
  })

  it('rejects a body beyond the limit, counted in bytes', () => {
    const atLimit = 'x'.repeat(BODY_BYTES_MAX)
    expect(encodeResponse({ status: 200, headers: {}, body: atLimit }).body).toBe(atLimit)
    const wide = 'é'.repeat(BODY_BYTES_MAX / 2 + 1)
    expect(() => encodeResponse({ status: 200, headers: {}, body: wide })).toThrow(TypeError)
  })
})
