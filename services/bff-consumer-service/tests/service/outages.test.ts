import type { DedicatedEnvironment } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeUpstreams, startFakeUpstreams } from '../harness/fake-upstreams/index.ts'
import { getHotel, hotelOf } from '../harness/hotel-client.ts'
import {
  cookieOf,
  createGuest,
  dedicatedConsumerEnvironment,
  itemsOf,
  post,
  type RunningConsumer,
  searchRequest,
  startConsumer,
} from '../harness/start-consumer.ts'

/** D22 on dedicated servers: guests find hotels whichever store is down. */
let servers: DedicatedEnvironment
let upstreams: FakeUpstreams
let service: RunningConsumer

beforeAll(async () => {
  upstreams = await startFakeUpstreams()
  servers = await dedicatedConsumerEnvironment(upstreams)
  service = await startConsumer(servers)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await servers[Symbol.asyncDispose]()
  await upstreams[Symbol.asyncDispose]()
})

const POLL_SLOWLY = { timeout: 10_000, interval: 50 }
const search = (json: unknown, headers: Record<string, string> = {}) =>
  post(service.url, '/search', { json, headers })

/** As the load balancer sees it: which dependency is unavailable, and whether that matters. */
async function readiness() {
  const response = await fetch(`${service.url}/health/ready`)
  const { checks } = (await response.json()) as { checks: Record<string, string> }
  const unavailable = Object.keys(checks).filter((name) => checks[name] !== 'ok')
  return { status: response.status, unavailable }
}

describe('P13 the service is ready', () => {
  it('with all dependencies, and without any upstream', async () => {
    expect(await readiness()).toEqual({ status: 200, unavailable: [] })
    for (const upstream of Object.values(upstreams.behaviour)) upstream.mode = 'down'
    expect(await readiness()).toEqual({ status: 200, unavailable: [] })
    upstreams.reset()
  })
})

describe('both Redis killed', () => {
  it('D25 searches continue, sessions start, only choices cannot be stored; then it recovers', async () => {
    const guest = await createGuest(service.url)
    expect((await guest.search(searchRequest())).status).toBe(200)
    const hotel = async (at: number) =>
      (await getHotel(service.url, hotelOf(upstreams, at).propertyId)).status
    expect(await hotel(0)).toBe(200)
    await Promise.all(servers.redisServers.map((redis) => redis.kill()))
    const both = { status: 200, unavailable: ['redis-session', 'redis-cache'] }
    expect(await readiness()).toEqual(both)

    const known = await guest.search(searchRequest())
    expect([known.status, itemsOf(known).length]).toEqual([200, 12])
    const cold = await search(searchRequest({ occupancy: { adults: 4 } }))
    expect([cold.status, itemsOf(cold).length]).toEqual([200, 12])
    expect(cold.headers.get('set-cookie')).toContain('__Host-gms_id=')
    expect([await hotel(0), await hotel(7)]).toEqual([200, 200])
    const started = await post(service.url, '/session')
    expect(started.status).toBe(201)
    const withCookie = { cookie: cookieOf(started) }
    const again = await search(searchRequest(), withCookie)
    expect([again.status, again.headers.get('set-cookie')]).toEqual([200, null])
    const choice = await post(service.url, '/session', { json: { locale: 'ps-AF' } })
    expect([choice.status, choice.body['code']]).toEqual([
      503,
      'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
    ])
    const wishes = await fetch(`${service.url}/bff/consumer/v1/wishlist`, { headers: withCookie })
    expect([wishes.status, await wishes.json()]).toMatchObject([200, { size: 0 }])

    await Promise.all(servers.redisServers.map((redis) => redis.restart()))
    const status = async () =>
      (await post(service.url, '/session', { json: { locale: 'ps-AF' } })).status
    await expect.poll(status, POLL_SLOWLY).toBe(201)
    await expect
      .poll(async () => (await search(searchRequest())).headers.get('set-cookie'), POLL_SLOWLY)
      .toContain('__Host-gms_id=')
  })
})

describe('Postgres killed', () => {
  it('reads continue, and telemetry is written after the recovery', async () => {
    await servers.postgres.kill()
    const guest = await createGuest(service.url)
    expect((await guest.search(searchRequest({ occupancy: { adults: 6 } }))).status).toBe(200)
    // The connections to Redis of the test before may still be recovering.
    await expect.poll(readiness, POLL_SLOWLY).toEqual({ status: 200, unavailable: ['postgres'] })
    await servers.postgres.restart()
    const published = async () => {
      const text = await (await fetch(`${service.internalUrl}/metrics`)).text()
      return Number(/bff_consumer_outbox_published_total (\d+)/.exec(text)?.[1] ?? 0)
    }
    await expect.poll(published, POLL_SLOWLY).toBeGreaterThan(2)
  })
})
