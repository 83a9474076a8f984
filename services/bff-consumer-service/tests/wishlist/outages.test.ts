import { startTcpProxy, type TcpProxy } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeUpstreams, startFakeUpstreams } from '../harness/fake-upstreams/index.ts'
import {
  consumerEnvironment,
  type RunningConsumer,
  sectionsOf,
  startConsumer,
  type TestEnvironment,
} from '../harness/start-consumer.ts'
import {
  hotelsOf,
  sessionOf,
  startWishlistClient,
  storedWishes,
  wishesOf,
} from '../harness/wishlist-client.ts'

let upstreams: FakeUpstreams
let environment: TestEnvironment
let database: TcpProxy
let redis: TcpProxy
let service: RunningConsumer

beforeAll(async () => {
  upstreams = await startFakeUpstreams()
  environment = await consumerEnvironment(upstreams)
  database = await startTcpProxy(environment.env['DATABASE_APP_URL'] ?? '')
  redis = await startTcpProxy(environment.env['REDIS_SESSION_URL'] ?? '')
  const env = { ...environment.env, DATABASE_APP_URL: database.url, REDIS_SESSION_URL: redis.url }
  service = await startConsumer({ env })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
  await upstreams[Symbol.asyncDispose]()
})

const LONG_TIMEOUT = { timeout: 15_000 }
const hotel = (at: number) => upstreams.hotels[at]?.propertyId ?? ''

describe('D22 a wishlist', () => {
  it('is read from the session while the database is down, and cannot be changed', async () => {
    const guest = await startWishlistClient(service.url)
    await guest.add(hotel(0), { note: 'mine' })
    await database.setMode({ kind: 'refuse' })
    const response = await guest.list()
    expect([response.status, hotelsOf(response)]).toEqual([200, [hotel(0)]])
    expect(wishesOf(response)[0]).not.toHaveProperty('note')
    expect([sectionsOf(response)['wishes'], response.body['degraded']]).toEqual(['stale', true])
    const rejected = await guest.add(hotel(1))
    expect([rejected.status, rejected.body['code']]).toEqual([
      503,
      'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
    ])
    await database.setMode({ kind: 'pass' })
    const noteAgain = async () => wishesOf(await guest.list())[0]?.note
    await expect.poll(noteAgain, LONG_TIMEOUT).toBe('mine')
    expect(await storedWishes(environment, guest)).toEqual([hotel(0)])
  })

  it('is stored although Redis fails before the session is updated', async () => {
    const guest = await startWishlistClient(service.url)
    await guest.add(hotel(0))
    // The process has the session cached from now on.
    await guest.list()
    await redis.setMode({ kind: 'refuse' })
    expect((await guest.add(hotel(1))).status).toBe(201)
    await redis.setMode({ kind: 'pass' })
    expect(await storedWishes(environment, guest)).toEqual([hotel(0), hotel(1)])
    const seen = async () => {
      await guest.list()
      return await sessionOf(service, guest).catch(() => [])
    }
    await expect.poll(seen, LONG_TIMEOUT).toEqual([hotel(0), hotel(1)])
  })
})
