import { newId } from '@melmastoon/domain'
import { dedicatedEnvironment } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../src/example-service/service.ts'
import { startExampleUpstream, type UpstreamMood } from '../../src/example-upstream.ts'
import { ABOUT_NOTES, createGuest, type Guest, send, startExample } from './start-example.ts'

/** D22 on servers of this test's own: reading paths stay open, money paths stay right. */
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
  it('pages and writes of known guests go on, nobody new comes in, and all recovers', async () => {
    expect((await guest.send('GET', PAGE)).status).toBe(200)
    await Promise.all(environment.redisServers.map((redis) => redis.kill()))

    expect((await guest.send('GET', PAGE)).status).toBe(200)
    const cold = await guest.send('GET', '/example/v1/page?locale=ps-AF&currency=EUR')
    expect(cold.status).toBe(200)
    expect((await place()).status).toBe(201)
    const newcomer = await send(running.url, 'POST', '/example/v1/session', {
      json: { locale: 'en' },
    })
    expect([newcomer.status, newcomer.body['code']]).toEqual([
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
  it('pages go on, writes are refused as unavailable and then succeed, nothing is lost', async () => {
    const newcomer = await createGuest(running.url)
    await environment.postgres.kill()
    expect((await newcomer.send('GET', PAGE)).status).toBe(200)
    const refused = await place(newcomer)
    expect([refused.status, refused.body['code'], refused.body['retriable']]).toEqual([
      503,
      'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
      true,
    ])
    expect((await send(running.url, 'GET', '/health/ready')).status).toBe(503)

    await environment.postgres.restart()
    await recovers(() => place(newcomer), 201)
    await recovers(() => send(running.url, 'GET', '/health/ready'), 200)
    await expect.poll(() => environment.countRows('outbox'), { timeout: 10_000 }).toBe(0)
    expect(await environment.countRows('outbox_published', ABOUT_NOTES)).toBe(
      await environment.countRows('notes'),
    )
  })
})

describe('the upstream', () => {
  it.each(['hanging', 'failing', 'garbage', 'dropping'] as const)(
    '%s: what is known is served as stale, what is not is refused by name, and it recovers',
    async (mood) => {
      await expect.poll(() => cacheStateUnder(mood), { timeout: 20_000 }).toBe('STALE')
      const unknown = await guest.send(
        'GET',
        `/example/v1/page?locale=fa-AF&currency=${CURRENCY_OF[mood]}`,
      )
      expect(unknown.status).toBeGreaterThanOrEqual(502)
      expect(unknown.status).toBeLessThanOrEqual(504)
      expect(unknown.body['code']).toMatch(/^MELMASTOON\.BFF\.UPSTREAM_/)

      environment.upstream.mood = 'well'
      await recovers(
        () => guest.send('GET', `/example/v1/page?locale=fa-AF&currency=${CURRENCY_OF[mood]}`),
        200,
      )
    },
  )
})

/**
 * What becomes of a page that was known when the trouble began. An event of the tests before may
 * still invalidate it in between: then it is unknown, and the caller tries again.
 */
async function cacheStateUnder(mood: UpstreamMood): Promise<string | null> {
  environment.upstream.mood = 'well'
  await recovers(() => guest.send('GET', PAGE), 200)
  environment.upstream.mood = mood
  for (;;) {
    const state = (await guest.send('GET', PAGE)).headers.get('x-cache')
    if (state !== 'HIT') return state
  }
}

const CURRENCY_OF = { hanging: 'AFN', failing: 'EUR', garbage: 'PKR', dropping: 'AED' }

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
