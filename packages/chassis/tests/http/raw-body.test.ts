import { signWebhook, verifyWebhook, webhookKeys } from '@melmastoon/security'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type App,
  buildApp,
  mutatingRoutesWithoutIdempotency,
  rawBodyOf,
} from '../../src/http/index.ts'

const KEYS = webhookKeys('a webhook secret of sufficient length')
const LIMIT = 200

let app: App
let url: string
beforeAll(async () => {
  app = await buildApp({ service: 'webhooks' })
  const schema = { body: { type: 'object', properties: { n: { type: 'number' } } } }
  const options = {
    config: { operation: 'webhook.receive', rawBody: true },
    schema,
    bodyLimit: LIMIT,
    preValidation: async (request: Parameters<typeof rawBodyOf>[0]) => {
      const header = request.headers['melmastoon-signature']
      verifyWebhook(KEYS, { header, body: rawBodyOf(request) }, new Date())
    },
  }
  app.post('/webhooks', options, async (request) => ({
    length: rawBodyOf(request).length,
    body: request.body,
  }))
  const unparsed = { ...options, config: { ...options.config, rawBody: 'unparsed' as const } }
  app.post('/unparsed', { ...unparsed, schema: {} }, async (request) => ({
    length: rawBodyOf(request).length,
    isParsed: request.body !== undefined,
  }))
  app.post('/other', { schema }, async (request) => ({ bytes: rawBodyOf(request).length }))
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

async function deliver(
  payload: string,
  signed = payload,
  { contentType = 'application/json', path = '/webhooks' } = {},
) {
  const signature = signWebhook(KEYS, signed, new Date())
  const headers = { 'content-type': contentType, 'melmastoon-signature': signature }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: payload })
  return { status: response.status, body: await response.json() }
}

describe('a route with rawBody', () => {
  it('verifies the bytes as received, which the parsed body does not preserve', async () => {
    const text = '{ "n" : 1.0,\n "n": 2e0 }'
    expect(await deliver(text)).toEqual({
      status: 200,
      body: { length: text.length, body: { n: 2 } },
    })
    const equivalent = JSON.stringify(JSON.parse(text))
    expect((await deliver(text, equivalent)).status).toBeGreaterThanOrEqual(400)
  })

  it('rejects a wrong signature before the schema is checked', async () => {
    const { body } = await deliver('{"unknown":true}', '{}')
    expect(body).toMatchObject({ code: 'MELMASTOON.PAYMENT.WEBHOOK_REFUSED' })
  })

  it('needs no idempotency key, but JSON and a body within the limit', async () => {
    expect(mutatingRoutesWithoutIdempotency(app)).toContain('POST /webhooks')
    expect((await deliver('n=1', 'n=1', { contentType: 'text/plain' })).status).toBe(415)
    const long = JSON.stringify({ n: 1, padding: 'x'.repeat(LIMIT) })
    expect((await deliver(long)).status).toBe(413)
  })

  it('verifies an unparsed body before anything is read', async () => {
    const path = '/unparsed'
    const text = '{"n":1'
    expect(await deliver(text, text, { path })).toEqual({
      status: 200,
      body: { length: text.length, isParsed: false },
    })
    const { body } = await deliver(text, '{"n":1}', { path })
    expect(body).toMatchObject({ code: 'MELMASTOON.PAYMENT.WEBHOOK_REFUSED' })
  })

  it('is the only one that keeps the bytes', async () => {
    const response = await app.inject({ method: 'POST', url: '/other', payload: { n: 1 } })
    expect(response.statusCode).toBe(500)
  })

  it('cannot share parsed bodies', async () => {
    const other = await buildApp({ service: 'both' })
    const config = { rawBody: true, cachesBodies: true }
    expect(() => other.post('/both', { config }, async () => ({}))).toThrow('/both')
    await other.close()
  })
})
