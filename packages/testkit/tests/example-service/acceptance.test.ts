import { mutatingRoutesWithoutIdempotency } from '@melmastoon/chassis/http'
import { newId } from '@melmastoon/domain'
import { expectValidEvents } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ABOUT_NOTES,
  contracts,
  createGuest,
  type ExampleEnvironment,
  exampleEnvironment,
  type Guest,
  send,
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

const place = (key: string, who: Guest = guest) =>
  who.send('POST', '/example/v1/:tenantId/notes', { key, json: { text: 'سلام' } })

describe('a note', () => {
  it('is placed once, published, counted once and visible only to its tenant', async () => {
    const key = newId('req')
    const first = await place(key)
    const second = await place(key)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotent-replayed')).toBe('true')

    await expect
      .poll(() => environment.countRows('outbox_published', ABOUT_NOTES), { timeout: 5_000 })
      .toBe(1)
    await expect.poll(() => environment.countRows('note_counts'), { timeout: 5_000 }).toBe(1)
    expect(await environment.countRows('notes')).toBe(1)
    await expect.poll(() => environment.countRows('outbox'), { timeout: 5_000 }).toBe(0)

    const stranger = await createGuest(service.url)
    const [own, foreign] = await Promise.all(
      [guest, stranger].map((who) => who.send('GET', '/example/v1/:tenantId/notes')),
    )
    expect(own?.body['notes']).toMatchObject([{ text: 'سلام', noteId: first.body['noteId'] }])
    expect(foreign?.body['notes']).toEqual([])
  })

  it('is reserved upstream under one derived key, and not found for another tenant', async () => {
    const { body } = await place(newId('req'))
    const path = `/example/v1/:tenantId/notes/${String(body['noteId'])}/reserve`
    const key = newId('req')
    const reserved = await guest.send('POST', path, { key, json: {} })
    const again = await guest.send('POST', path, { key, json: {} })
    expect(reserved.status).toBe(200)
    expect(again.text).toBe(reserved.text)
    expect(environment.upstream.reservations.size).toBe(1)

    const stranger = await createGuest(service.url)
    const rejected = await stranger.send('POST', path, { key: newId('req'), json: {} })
    expect([rejected.status, rejected.body['code']]).toEqual([
      404,
      'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
    ])
  })

  it('has an event with its request, session and trace', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const requestId = newId('req')
    await guest.send('POST', '/example/v1/:tenantId/notes', {
      key: newId('req'),
      json: { text: 'traced' },
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, 'x-request-id': requestId },
    })
    await expect.poll(() => environment.countRows('outbox'), { timeout: 5_000 }).toBe(0)
    const events = await expectValidEvents(environment.adminUrl, contracts)
    const event = events.find((candidate) => candidate.envelope.requestId === requestId)
    expect(event?.envelope.traceId).toContain(traceId)
    expect(event?.envelope.sessionId).toBe(guest.cookie.split('=')[1]?.split('.')[0])
    expect(event?.envelope.publishedAt).toEqual(expect.any(String))
    expect(JSON.stringify(events)).not.toContain('traced')
  })
})

describe('the page', () => {
  it('is loaded once from the upstream, then served from the cache, compressed or as 304', async () => {
    environment.upstream.requests.length = 0
    const path = '/example/v1/page?locale=fa-AF&currency=AFN'
    const first = await guest.send('GET', path)
    const second = await guest.send('GET', path)
    expect([first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual(['MISS', 'HIT'])
    expect(second.text).toBe(first.text)
    expect(first.text.length).toBeGreaterThan(30_000)
    expect(environment.upstream.requests).toEqual(['GET /catalogue'])
    const etag = second.headers.get('etag') ?? ''
    const unchanged = await guest.send('GET', path, { headers: { 'if-none-match': etag } })
    expect(unchanged.status).toBe(304)
  })

  it('differs by locale and currency, and is loaded again when a note was counted', async () => {
    const afghani = await guest.send('GET', '/example/v1/page?locale=en&currency=AFN')
    const dollars = await guest.send('GET', '/example/v1/page?locale=en&currency=USD')
    expect(afghani.headers.get('etag')).not.toBe(dollars.headers.get('etag'))

    await place(newId('req'))
    const path = '/example/v1/page?locale=en&currency=AFN'
    await expect
      .poll(async () => (await guest.send('GET', path)).headers.get('x-cache'), {
        interval: 20,
        timeout: 5_000,
      })
      .toBe('MISS')
  })

  it('is limited per session, with Retry-After', async () => {
    await using strict = await startExample(environment, {
      limit: { name: 'strict', limit: 2, periodSeconds: 60 },
    })
    const path = '/example/v1/page?locale=en&currency=EUR'
    const responses = []
    for (let i = 0; i < 3; i += 1)
      responses.push(await guest.send('GET', new URL(path, strict.url).href))
    expect(responses.map((response) => response.status)).toEqual([200, 200, 429])
    expect(responses[2]?.body['code']).toBe('MELMASTOON.GENERAL.RATE_LIMITED')
    expect(Number(responses[2]?.headers.get('retry-after'))).toBeGreaterThan(20)
  })
})

it('every mutation is idempotent, except the start of a session', () => {
  expect(mutatingRoutesWithoutIdempotency(service.app)).toEqual(['POST /example/v1/session'])
})

describe('operators', () => {
  it('see readiness, metrics and the API', async () => {
    const ready = await send(service.url, 'GET', '/health/ready')
    expect(ready.body).toMatchObject({ checks: { postgres: 'ok', 'redis-session': 'ok' } })
    const metrics = await send(service.internalUrl, 'GET', '/metrics')
    expect(metrics.text).toMatch(/example_cache_hit_total\{cache="page"\} [1-9]/)
    expect(metrics.text).toMatch(/example_outbox_published_total [1-9]/)
    expect((await send(service.url, 'GET', '/metrics')).status).toBe(404)
    const api = await send(service.url, 'GET', '/docs/json')
    expect(Object.keys(api.body['paths'] as object)).toContain('/example/v1/page')
  })
})
