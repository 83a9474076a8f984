import { ensureRoles, migrate } from '@melmastoon/chassis/db'
import { newId } from '@melmastoon/domain'
import { type Instance, startPostgres, startRedis } from '@melmastoon/one-machine'
import { temporaryFolder } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXAMPLE_SCHEMA, exampleMigrations } from '../../src/example-service/migrations.ts'
import { startExampleUpstream, type UpstreamMood } from '../../src/example-upstream.ts'
import {
  ABOUT_NOTES,
  countRows,
  type Guest,
  meetGuest,
  type Stage,
  send,
  startExample,
} from './start-example.ts'

/** D22 on servers of this test's own: reading paths stay open, money paths stay right. */
let stage: Stage & { postgres: Instance; redis: Instance[] }
let service: Awaited<ReturnType<typeof startExample>>
let guest: Guest
const PAGE = '/example/v1/page?locale=en&currency=USD'

beforeAll(async () => {
  stage = await ownStage()
  service = await startExample(stage, { pageSoftTtlMs: 300 })
  guest = await meetGuest(service.url)
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await stage[Symbol.asyncDispose]()
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
    await Promise.all(stage.redis.map((redis) => redis.kill()))

    expect((await guest.send('GET', PAGE)).status).toBe(200)
    const cold = await guest.send('GET', '/example/v1/page?locale=ps-AF&currency=EUR')
    expect(cold.status).toBe(200)
    expect((await place()).status).toBe(201)
    const newcomer = await send(service.url, 'POST', '/example/v1/session', {
      json: { locale: 'en' },
    })
    expect([newcomer.status, newcomer.body['code']]).toEqual([
      503,
      'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
    ])
    expect((await send(service.url, 'GET', '/health/live')).status).toBe(200)

    await Promise.all(stage.redis.map((redis) => redis.restart()))
    await recovers(
      () => send(service.url, 'POST', '/example/v1/session', { json: { locale: 'en' } }),
      201,
    )
    await expect.poll(() => countRows(stage, 'outbox'), { timeout: 10_000 }).toBe(0)
    expect(await countRows(stage, 'outbox_published', ABOUT_NOTES)).toBe(1)
  })
})

describe('Postgres restarted', () => {
  it('pages go on, writes are refused as unavailable and then succeed, nothing is lost', async () => {
    const newcomer = await meetGuest(service.url)
    await stage.postgres.kill()
    expect((await newcomer.send('GET', PAGE)).status).toBe(200)
    const refused = await place(newcomer)
    expect([refused.status, refused.body['code'], refused.body['retriable']]).toEqual([
      503,
      'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
      true,
    ])
    expect((await send(service.url, 'GET', '/health/ready')).status).toBe(503)

    await stage.postgres.restart()
    await recovers(() => place(newcomer), 201)
    await recovers(() => send(service.url, 'GET', '/health/ready'), 200)
    await expect.poll(() => countRows(stage, 'outbox'), { timeout: 10_000 }).toBe(0)
    expect(await countRows(stage, 'outbox_published', ABOUT_NOTES)).toBe(
      await countRows(stage, 'notes'),
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

      stage.upstream.mood = 'well'
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
  stage.upstream.mood = 'well'
  await recovers(() => guest.send('GET', PAGE), 200)
  stage.upstream.mood = mood
  for (;;) {
    const state = (await guest.send('GET', PAGE)).headers.get('x-cache')
    if (state !== 'HIT') return state
  }
}

const CURRENCY_OF = { hanging: 'AFN', failing: 'EUR', garbage: 'PKR', dropping: 'AED' }

async function ownStage() {
  const folder = temporaryFolder()
  const postgres = await startPostgres({ dataDir: `${folder.path}/postgres`, port: 0 })
  const redis = await Promise.all(
    (['noeviction', 'allkeys-lru'] as const).map((policy) =>
      startRedis({ dataDir: `${folder.path}/${policy}`, port: 0, policy }),
    ),
  )
  const upstream = await startExampleUpstream()
  await ensureRoles(postgres.url, EXAMPLE_SCHEMA)
  await migrate({
    url: postgres.url,
    schema: EXAMPLE_SCHEMA,
    migrations: await exampleMigrations(),
  })
  return {
    postgres,
    redis,
    upstream,
    adminUrl: postgres.url,
    env: {
      PORT: '0',
      INTERNAL_PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: postgres.url,
      REDIS_SESSION_URL: redis[0]?.url ?? '',
      REDIS_CACHE_URL: redis[1]?.url ?? '',
      EXAMPLE_UPSTREAM_URL: upstream.url,
      IDEMPOTENCY_SECRET: 'a secret for tests, long enough to be one',
      LOG_LEVEL: 'silent',
    },
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await Promise.all([postgres, ...redis].map((server) => server.stop()))
      folder[Symbol.dispose]()
    },
  }
}
