import { ensureRoles, migrate } from '@melmastoon/chassis/db'
import { type Instance, startPostgres, startRedis } from '@melmastoon/one-machine'
import { temporaryFolder } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StandIn, startStandIn } from '../harness/fake-upstreams/index.ts'
import { askHotel, hotelOf } from '../harness/hotel-client.ts'
import {
  aQuestion,
  contracts,
  cookieOf,
  itemsOf,
  meetGuest,
  post,
  type Running,
  SERVICE_SECRET,
  startConsumer,
} from '../harness/start-consumer.ts'

/** D22 on servers of this test's own: travellers find hotels whatever of ours is away. */
let servers: { postgres: Instance; redis: Instance[]; [Symbol.asyncDispose](): Promise<void> }
let upstreams: StandIn
let service: Running

beforeAll(async () => {
  upstreams = await startStandIn()
  const folder = temporaryFolder()
  const postgres = await startPostgres({ dataDir: `${folder.path}/postgres`, port: 0 })
  const redis = await Promise.all(
    (['noeviction', 'allkeys-lru'] as const).map((policy) =>
      startRedis({ dataDir: `${folder.path}/${policy}`, port: 0, policy }),
    ),
  )
  await ensureRoles(postgres.url, contracts.schema)
  const migrations = await contracts.migrations()
  await migrate({ url: postgres.url, schema: contracts.schema, migrations })
  servers = {
    postgres,
    redis,
    async [Symbol.asyncDispose]() {
      await Promise.all([postgres, ...redis].map((server) => server.stop()))
      folder[Symbol.dispose]()
    },
  }
  const env = {
    PORT: '0',
    INTERNAL_PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: postgres.url,
    REDIS_SESSION_URL: redis[0]?.url ?? '',
    REDIS_CACHE_URL: redis[1]?.url ?? '',
    UPSTREAM_SEARCH_URL: `${upstreams.url}/search`,
    UPSTREAM_PRICING_URL: `${upstreams.url}/pricing`,
    UPSTREAM_THEME_URL: `${upstreams.url}/theme`,
    UPSTREAM_PROPERTY_URL: `${upstreams.url}/property`,
    UPSTREAM_TENANT_URL: `${upstreams.url}/tenant`,
    IDEMPOTENCY_SECRET: 'a secret for tests, long enough to be one',
    SERVICE_SECRET,
    HASH_PEPPERS: `p1:active:${Buffer.alloc(32, 'pepper').toString('base64url')}`,
    HANDOFF_KEYS: `hmac-2026-04:active:${Buffer.alloc(32, 'handoff').toString('base64url')}`,
    SESSION_KEYS: `s1:active:${Buffer.alloc(32, 'session').toString('base64url')}`,
    LOG_LEVEL: 'silent',
  }
  service = await startConsumer({ env })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await servers[Symbol.asyncDispose]()
  await upstreams[Symbol.asyncDispose]()
})

const PATIENTLY = { timeout: 10_000, interval: 50 }
const search = (json: unknown, headers: Record<string, string> = {}) =>
  post(service.url, '/search', { json, headers })

describe('both Redis killed', () => {
  it('D25 searches continue, sessions start, only choices cannot be stored; then it recovers', async () => {
    const guest = await meetGuest(service.url)
    expect((await guest.search(aQuestion())).status).toBe(200)
    const hotel = async (at: number) =>
      (await askHotel(service.url, hotelOf(upstreams, at).propertyId)).status
    expect(await hotel(0)).toBe(200)
    await Promise.all(servers.redis.map((redis) => redis.kill()))

    const known = await guest.search(aQuestion())
    expect([known.status, itemsOf(known).length]).toEqual([200, 12])
    const cold = await search(aQuestion({ occupancy: { adults: 4 } }))
    expect([cold.status, itemsOf(cold).length]).toEqual([200, 12])
    expect(cold.headers.get('set-cookie')).toContain('__Host-gms_id=')
    expect([await hotel(0), await hotel(7)]).toEqual([200, 200])
    const started = await post(service.url, '/session')
    expect(started.status).toBe(201)
    const withCookie = { cookie: cookieOf(started) }
    const again = await search(aQuestion(), withCookie)
    expect([again.status, again.headers.get('set-cookie')]).toEqual([200, null])
    const choice = await post(service.url, '/session', { json: { locale: 'ps-AF' } })
    expect([choice.status, choice.body['code']]).toEqual([
      503,
      'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
    ])
    const wishes = await fetch(`${service.url}/bff/consumer/v1/wishlist`, { headers: withCookie })
    expect([wishes.status, await wishes.json()]).toMatchObject([200, { size: 0 }])

    await Promise.all(servers.redis.map((redis) => redis.restart()))
    const status = async () =>
      (await post(service.url, '/session', { json: { locale: 'ps-AF' } })).status
    await expect.poll(status, PATIENTLY).toBe(201)
    await expect
      .poll(async () => (await search(aQuestion())).headers.get('set-cookie'), PATIENTLY)
      .toContain('__Host-gms_id=')
  })
})

describe('Postgres killed', () => {
  it('nobody notices, and telemetry is written when it is back', async () => {
    await servers.postgres.kill()
    const guest = await meetGuest(service.url)
    expect((await guest.search(aQuestion({ occupancy: { adults: 6 } }))).status).toBe(200)
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200)
    await servers.postgres.restart()
    const published = async () => {
      const text = await (await fetch(`${service.internalUrl}/metrics`)).text()
      return Number(/bff_consumer_outbox_published_total (\d+)/.exec(text)?.[1] ?? 0)
    }
    await expect.poll(published, PATIENTLY).toBeGreaterThan(2)
  })
})
