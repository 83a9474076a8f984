import { newId } from '@melmastoon/domain'
import { dedicatedEnvironment } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../src/example-service/service.ts'
import { startExampleUpstream, type UpstreamMode } from '../../src/example-upstream.ts'
import { ABOUT_NOTES, createGuest, type Guest, send, startExample } from './start-example.ts'

/** D22 on dedicated servers: reads continue, and writes stay consistent. */
let environment: Awaited<ReturnType<typeof ownEnvironment>>
let running: Awaited<ReturnType<typeof startExample>>
let guest: Guest
const PAGE = '/example/v1/page?locale=en&currency=USD'

beforeAll(async () => {
  environment = await ownEnvironment()
  running = await startExample(environment, { pageSoftTtlMs: 300 })
  guest = await createGuest(running.url)
})

afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

const place = (who = guest) =>
  who.send('POST', '/example/v1/:tenantId/notes', { key: newId('req'), json: { text: 'x' } })
async function recovers(attempt: () => Promise<{ status: number }>, status: number) {
  const statusNow = async () => (await attempt()).status
  await expect.poll(statusNow, { timeout: 10_000, interval: 50 }).toBe(status)
}

describe('both Redis killed', () => {
  it('pages and writes of known guests continue, new sessions are rejected, and all recovers', async () => {
    expect((await guest.send('GET', PAGE)).status).toBe(200)
    await Promise.all(environment.redisServers.map((redis) => redis.kill()))

    expect((await guest.send('GET', PAGE)).status).toBe(200)
    const cold = await guest.send('GET', '/example/v1/page?locale=ps-AF&currency=EUR')
    expect(cold.status).toBe(200)
    expect((await place()).status).toBe(201)
    const newGuest = await send(running.url, 'POST', '/example/v1/session', {
      json: { locale: 'en' },
    })
    expect([newGuest.status, newGuest.body['code']]).toEqual([
      503,
      'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
    ])
    expect((await send(running.url, 'GET', '/health/live')).status).toBe(200)

    await Promise.all(environment.redisServers.map((redis) => redis.restart()))
    await recovers(
      () => send(running.url, 'POST', '/example/v1/session', { json: { locale: 'en' } }),
      201,
    )
    await expect.poll(() => environment.countRows('outbox'), { timeout: 10_000 }).toBe(0)
    expect(await environment.countRows('outbox_published', ABOUT_NOTES)).toBe(1)
  })
})

describe('Postgres restarted', () => {
  it('pages continue, writes are rejected as unavailable and later succeed, nothing is lost', async () => {
    const newGuest = await createGuest(running.url)
    await environment.postgres.kill()
    expect((await newGuest.send('GET', PAGE)).status).toBe(200)
    const rejected = await place(newGuest)
    expect([rejected.status, rejected.body['code'], rejected.body['retriable']]).toEqual([
      503,
      'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
      true,
    ])
    expect((await send(running.url, 'GET', '/health/ready')).status).toBe(503)

    await environment.postgres.restart()
    await recovers(() => place(newGuest), 201)
    await recovers(() => send(running.url, 'GET', '/health/ready'), 200)
    await expect.poll(() => environment.countRows('outbox'), { timeout: 10_000 }).toBe(0)
    expect(await environment.countRows('outbox_published', ABOUT_NOTES)).toBe(
      await environment.countRows('notes'),
    )
  })
})

describe('the upstream', () => {
  it.each(['hanging', 'failing', 'invalid', 'dropping'] as const)(
    '%s: cached pages are served as stale, others fail with a problem code, and it recovers',
    async (mode) => {
      await expect.poll(() => cacheStateUnder(mode), { timeout: 20_000 }).toBe('STALE')
      const unknown = await guest.send(
        'GET',
        `/example/v1/page?locale=fa-AF&currency=${CURRENCY_OF[mode]}`,
      )
      expect(unknown.status).toBeGreaterThanOrEqual(502)
      expect(unknown.status).toBeLessThanOrEqual(504)
      expect(unknown.body['code']).toMatch(/^MELMASTOON\.BFF\.UPSTREAM_/)

      environment.upstream.mode = 'healthy'
      await recovers(
        () => guest.send('GET', `/example/v1/page?locale=fa-AF&currency=${CURRENCY_OF[mode]}`),
        200,
      )
    },
  )
})

/**
 * The cache state of a page that was cached before the outage. An event of an earlier test may
 * still invalidate it in between: then it is not cached, and the caller tries again.
 */
async function cacheStateUnder(mode: UpstreamMode): Promise<string | null> {
  environment.upstream.mode = 'healthy'
  await recovers(() => guest.send('GET', PAGE), 200)
  environment.upstream.mode = mode
  for (;;) {
    const state = (await guest.send('GET', PAGE)).headers.get('x-cache')
    if (state !== 'HIT') return state
  }
}

const CURRENCY_OF = { hanging: 'AFN', failing: 'EUR', invalid: 'PKR', dropping: 'AED' }

async function ownEnvironment() {
  const upstream = await startExampleUpstream()
  const environment = await dedicatedEnvironment(service, { EXAMPLE_UPSTREAM_URL: upstream.url })
  return {
    ...environment,
    upstream,
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}
