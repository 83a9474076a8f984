import { startTcpProxy, type TcpProxy } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeUpstreams, startFakeUpstreams } from '../harness/fake-upstreams/index.ts'
import {
  consumerEnvironment,
  type Running,
  sectionsOf,
  startConsumer,
  type TestEnvironment,
} from '../harness/start-consumer.ts'
import { hotelsOf, meetWishing, mirrorOf, sessionOf, wishesOf } from '../harness/wishlist-client.ts'

let upstreams: FakeUpstreams
let environment: TestEnvironment
let database: TcpProxy
let redis: TcpProxy
let service: Running

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

const PATIENCE = { timeout: 15_000 }
const hotel = (at: number) => upstreams.hotels[at]?.propertyId ?? ''

describe('D22 a wishlist', () => {
  it('is shown from the session while the database is away, and changed by nobody', async () => {
    const guest = await meetWishing(service.url)
    await guest.add(hotel(0), { note: 'mine' })
    await database.setMode({ kind: 'refuse' })
    const answer = await guest.list()
    expect([answer.status, hotelsOf(answer)]).toEqual([200, [hotel(0)]])
    expect(wishesOf(answer)[0]).not.toHaveProperty('note')
    expect([sectionsOf(answer)['wishes'], answer.body['degraded']]).toEqual(['stale', true])
    const refused = await guest.add(hotel(1))
    expect([refused.status, refused.body['code']]).toEqual([
      503,
      'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
    ])
    await database.setMode({ kind: 'pass' })
    const noteAgain = async () => wishesOf(await guest.list())[0]?.note
    await expect.poll(noteAgain, PATIENCE).toBe('mine')
    expect(await mirrorOf(environment, guest)).toEqual([hotel(0)])
  })

  it('stands although Redis goes away before the session has heard of it', async () => {
    const guest = await meetWishing(service.url)
    await guest.add(hotel(0))
    // The process remembers her from now on.
    await guest.list()
    await redis.setMode({ kind: 'refuse' })
    expect((await guest.add(hotel(1))).status).toBe(201)
    await redis.setMode({ kind: 'pass' })
    expect(await mirrorOf(environment, guest)).toEqual([hotel(0), hotel(1)])
    const seen = async () => {
      await guest.list()
      return await sessionOf(service, guest).catch(() => [])
    }
    await expect.poll(seen, PATIENCE).toEqual([hotel(0), hotel(1)])
  })
})
