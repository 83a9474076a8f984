import { sql } from '@melmastoon/chassis/db'
import { createReplayShortcut, type ReplayRedis } from '@melmastoon/chassis/idempotency'
import { createKeySpace, createRedis, type Redis, waitUntilReady } from '@melmastoon/chassis/redis'
import { eventually, testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Guest, newKey } from './_client.ts'
import { allNotes } from './_database.ts'
import { type Site, startSite } from './_site.ts'

let site: Site
let redis: Redis
let guest: Guest
let key: string

beforeAll(async () => {
  redis = createRedis((await testRedis()).cacheUrl, { name: 'replay', onError: () => undefined })
  await waitUntilReady(redis, 5_000)
  site = await startSite()
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  redis.disconnect()
})
beforeEach(async () => {
  await redis.flushdb()
  guest = new Guest(await site.listen({ shortcut: shortcutOver(redis) }))
  key = newKey()
})

const KEYS = createKeySpace('test-service')

function shortcutOver(
  connection: ReplayRedis,
  onError: (error: unknown) => void = () => undefined,
) {
  return createReplayShortcut({ redis: connection, keys: KEYS, onError, ttlMs: 30_000 })
}

async function storedKey(): Promise<string> {
  return eventually(async () => {
    const [stored] = await redis.keys(`${KEYS.prefix('replay', 2)}*`)
    if (stored === undefined) throw new Error('nothing stored yet')
    return stored
  })
}

/** A response is copied when it is replayed for the first time. */
async function sendTwice() {
  const first = await guest.send({ key })
  await guest.send({ key })
  return first
}

async function forgetInPostgres(): Promise<void> {
  await site.fixture.admin.query(sql`delete from idem_isolated.idempotency`)
}

async function expectReplays(): Promise<void> {
  const before = (await allNotes(site.fixture)).length
  const first = await guest.send({ key })
  expect([first.status, first.replayed]).toEqual([201, false])
  const again = await Promise.all(Array.from({ length: 10 }, () => guest.send({ key })))
  for (const sent of again) expect([sent.replayed, sent.text]).toEqual([true, first.text])
  expect((await allNotes(site.fixture)).length).toBe(before + 1)
}

describe('the Redis shortcut for replays', () => {
  it('has no cost for a request that is never repeated', async () => {
    await guest.send({ key })
    expect(await redis.dbsize()).toBe(0)
  })

  it('replays without Postgres until it expires, for the same request only', async () => {
    const first = await sendTwice()
    await storedKey()
    await forgetInPostgres()
    const replay = await guest.send({ key })
    expect([replay.replayed, replay.text]).toEqual([true, first.text])
    const other = await guest.send({ key, body: { text: 'other' } })
    expect([other.status, other.replayed]).toEqual([201, false])
  })

  it('stores no copy longer than the record itself', async () => {
    const brief = await site.listen({ shortcut: shortcutOver(redis), ttlMs: 5_000, leaseMs: 1_000 })
    guest = guest.at(brief)
    await sendTwice()
    const lifeMs = await redis.pttl(await storedKey())
    expect(lifeMs).toBeGreaterThan(0)
    expect(lifeMs).toBeLessThanOrEqual(5_000)
  })

  it('has a maximum TTL even for records with a long life', async () => {
    await sendTwice()
    expect(await redis.pttl(await storedKey())).toBeLessThanOrEqual(30_000)
  })

  it('IDEM-27 changes nothing when Redis is flushed or evicts between send and retry', async () => {
    const first = await sendTwice()
    await storedKey()
    await redis.flushdb()
    const effects = (await allNotes(site.fixture)).length
    const retried = await guest.send({ key })
    expect([retried.replayed, retried.text]).toEqual([true, first.text])
    expect((await allNotes(site.fixture)).length).toBe(effects)
  })

  it('IDEM-27 changes nothing when Redis contains invalid values', async () => {
    const first = await sendTwice()
    const stored = await storedKey()
    for (const invalid of ['', '{', '[]', '{"requestHash":"x"}', '"text"']) {
      await redis.set(stored, invalid)
      const retried = await guest.send({ key })
      expect([invalid, retried.replayed, retried.text]).toEqual([invalid, true, first.text])
    }
  })

  it('IDEM-27 changes nothing when Redis is down', async () => {
    const lost = createRedis('redis://127.0.0.1:1', { name: 'lost', onError: () => undefined })
    guest = new Guest(await site.listen({ shortcut: shortcutOver(lost) }))
    await expectReplays()
    lost.disconnect()
  })

  it('IDEM-27 changes nothing when Redis fails or hangs during a request', async () => {
    const errors: unknown[] = []
    const broken: ReplayRedis = {
      status: 'ready',
      get: () => Promise.reject(new Error('connection reset')),
      set: () => Promise.reject(new Error('connection reset')),
    }
    const shortcut = shortcutOver(broken, (error) => errors.push(error))
    guest = new Guest(await site.listen({ shortcut }))
    await expectReplays()
    expect(errors.length).toBeGreaterThan(0)
    const never = () => new Promise<never>(() => undefined)
    const hanging: ReplayRedis = { status: 'ready', get: never, set: never }
    guest = new Guest(await site.listen({ shortcut: shortcutOver(hanging) }))
    key = newKey()
    await expectReplays()
  })
})
