import { connect } from 'node:net'
import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ABOUT_NOTES,
  createGuest,
  type ExampleEnvironment,
  exampleEnvironment,
  type Guest,
  startExample,
} from './start-example.ts'

let environment: ExampleEnvironment
let service: Awaited<ReturnType<typeof startExample>>
let guest: Guest

beforeAll(async () => {
  environment = await exampleEnvironment()
  service = await startExample(environment)
  guest = await createGuest(service.url)
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

const NOTES = '/example/v1/:tenantId/notes'
const key = () => newId('req')

/** One request for each kind of error; every one has its own code and stores nothing. */
const WRONG = [
  ['a malformed body', 400, 'GENERAL.MALFORMED_BODY', { raw: '{"text":' }],
  ['an empty body', 400, 'GENERAL.', { raw: '' }],
  ['a body of the wrong type', 400, 'GENERAL.VALIDATION_FAILED', { raw: '[]' }],
  ['an unknown field', 400, 'GENERAL.VALIDATION_FAILED', { json: { text: 'a', admin: true } }],
  ['a missing field', 400, 'GENERAL.VALIDATION_FAILED', { json: {} }],
  ['a field too long', 400, 'GENERAL.VALIDATION_FAILED', { json: { text: 'a'.repeat(281) } }],
  ['a __proto__ key', 400, 'GENERAL.MALFORMED_BODY', { raw: '{"text":"a","__proto__":{"x":1}}' }],
  [
    'a constructor key',
    400,
    'GENERAL.MALFORMED_BODY',
    { raw: '{"text":"a","constructor":{"prototype":{"x":1}}}' },
  ],
  ['a body of 65 KiB', 413, 'GENERAL.PAYLOAD_TOO_LARGE', { json: { text: 'a'.repeat(66_000) } }],
  [
    'plain text',
    415,
    'GENERAL.UNSUPPORTED_MEDIA_TYPE',
    { json: { text: 'a' }, headers: { 'content-type': 'text/plain' } },
  ],
  [
    'a form',
    415,
    'GENERAL.UNSUPPORTED_MEDIA_TYPE',
    { raw: 'text=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  [
    'another site',
    403,
    'GENERAL.CROSS_SITE_REQUEST',
    { json: { text: 'a' }, headers: { 'sec-fetch-site': 'same-site' } },
  ],
  ['no session', 401, 'SESSION.COOKIE_INVALID', { json: { text: 'a' }, headers: { cookie: '' } }],
  [
    'a bad cookie',
    401,
    'SESSION.COOKIE_INVALID',
    { json: { text: 'a' }, headers: { cookie: '__Host-gms_id=gms_x.y' } },
  ],
] as const

describe('bad input', () => {
  it.each(WRONG)('%s is rejected with its code', async (_what, status, code, options) => {
    const response = await guest.send('POST', NOTES, { key: key(), ...options })
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(response.status).toBe(status)
    expect(response.body['code']).toContain(`MELMASTOON.${code}`)
    expect(response.body).toMatchObject({ requestId: expect.any(String), retriable: false })
  })

  it('a text that Postgres cannot store is rejected without an internal error', async () => {
    const response = await guest.send('POST', NOTES, { key: key(), json: { text: 'a\0b' } })
    expect([response.status, response.body['code']]).toEqual([
      400,
      'MELMASTOON.GENERAL.VALIDATION_FAILED',
    ])
  })

  it('identifies the field by JSON pointer', async () => {
    const response = await guest.send('POST', NOTES, { key: key(), json: { text: '' } })
    expect(response.body['errors']).toMatchObject([{ pointer: '/text' }])
  })

  it('an invalid tenant, an unknown route and an unknown method are rejected', async () => {
    const responses = await Promise.all([
      guest.send('GET', '/example/v1/not-a-tenant/notes'),
      guest.send('GET', '/nowhere'),
      guest.send('DELETE', NOTES),
    ])
    expect(responses.map((response) => response.status)).toEqual([400, 404, 405])
    expect(responses[2]?.headers.get('allow')).toContain('POST')
  })

  it('a slow client gets an error and is disconnected', { timeout: 20_000 }, async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write(
      'POST /example/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n',
    )
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    const response = Buffer.concat(chunks).toString()
    expect(response).toMatch(/^HTTP\/1\.1 408 /)
    expect(response).toContain('MELMASTOON.GENERAL.REQUEST_TIMEOUT')
  })

  it('stores nothing for any of these requests', async () => {
    const counts = await Promise.all([
      environment.countRows('notes'),
      environment.countRows('idempotency'),
      environment.countRows('outbox', ABOUT_NOTES),
      environment.countRows('outbox_published', ABOUT_NOTES),
    ])
    expect(counts).toEqual([0, 0, 0, 0])
  })
})
