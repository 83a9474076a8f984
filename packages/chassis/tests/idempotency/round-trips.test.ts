import { createDatabase, type Database } from '@melmastoon/chassis/db'
import { createReplayShortcut } from '@melmastoon/chassis/idempotency'
import { createKeySpace, createRedis, type Redis, waitUntilReady } from '@melmastoon/chassis/redis'
import {
  type CountingProxy,
  countPostgresRoundTrips,
  countRedisCommands,
  eventually,
  testRedis,
} from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rejectedTexts } from './_app.ts'
import { Guest, newKey } from './_client.ts'
import { type Site, startSite } from './_site.ts'

let site: Site
let db: Database
let redis: Redis
let postgresProxy: CountingProxy
let redisProxy: CountingProxy
let guest: Guest

beforeAll(async () => {
  site = await startSite()
  postgresProxy = await countPostgresRoundTrips(site.fixture.urls.appUrl)
  redisProxy = await countRedisCommands((await testRedis()).cacheUrl)
  db = createDatabase({ url: postgresProxy.url, poolMax: 1, onError: () => undefined })
  redis = createRedis(redisProxy.url, { name: 'round-trips', onError: () => undefined })
  await waitUntilReady(redis, 5_000)
  const shortcut = createReplayShortcut({
    redis,
    keys: createKeySpace('guest-book'),
    onError: () => undefined,
  })
  guest = new Guest(await site.listen({ db, shortcut }))
  // Statements are prepared and types loaded once per connection.
  for (const path of ['/writes', '/bookings', '/notes']) await guest.send({ path, key: newKey() })
})
afterAll(async () => {
  redis.disconnect()
  await site[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
  await postgresProxy[Symbol.asyncDispose]()
  await redisProxy[Symbol.asyncDispose]()
})
beforeEach(() => rejectedTexts.clear())

async function tripsOf(sending: { path: string; key?: string; body?: { text: string } }) {
  postgresProxy.reset()
  redisProxy.reset()
  const calls = site.upstream.calls.length
  const { status, replayed } = await guest.send({ key: newKey(), ...sending })
  const upstream = site.upstream.calls.length - calls
  return { status, replayed, postgres: postgresProxy.count, redis: redisProxy.count, upstream }
}

const FRESH = { status: 201, replayed: false, redis: 0 }

describe('round trips of a mutation with a fresh key', () => {
  it('are one without an upstream call', async () => {
    expect(await tripsOf({ path: '/writes' })).toEqual({ ...FRESH, postgres: 1, upstream: 0 })
  })

  it('are two around an upstream call', async () => {
    expect(await tripsOf({ path: '/bookings' })).toEqual({ ...FRESH, postgres: 2, upstream: 1 })
  })

  it('are six with a checkpoint and a separate transaction', async () => {
    expect(await tripsOf({ path: '/notes' })).toEqual({ ...FRESH, postgres: 6, upstream: 1 })
  })

  it('are one when a read before the statement rejects', async () => {
    rejectedTexts.set('hello', 'MELMASTOON.GENERAL.FORBIDDEN')
    const trips = await tripsOf({ path: '/writes' })
    expect(trips).toEqual({ status: 403, replayed: false, postgres: 1, redis: 0, upstream: 0 })
  })
})

describe('round trips of a replay', () => {
  it('are two to Postgres the first time, then one to Redis', async () => {
    const sending = { path: '/writes', key: newKey() }
    await guest.send(sending)
    expect(await tripsOf(sending)).toMatchObject({ replayed: true, postgres: 2 })
    // The copy is written after the response was sent.
    await eventually(async () => {
      expect(await tripsOf(sending)).toMatchObject({ replayed: true, postgres: 0, redis: 1 })
    })
  })
})
