import { newId } from '@melmastoon/domain'
import { startRedis } from '@melmastoon/one-machine'
import { temporaryFolder, testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedis, type Redis } from '../../src/redis/index.ts'
import { createSessionStore, type SessionStore } from '../../src/sessions/index.ts'

interface Guest {
  locale: string
  viewed: number
}

const ignore = () => undefined
const parse = (value: unknown) =>
  typeof value === 'object' && value !== null && 'locale' in value ? (value as Guest) : null
const guest: Guest = { locale: 'ps-AF', viewed: 0 }
let redis: Redis

beforeAll(async () => {
  const { sessionUrl } = await testRedis()
  redis = createRedis(sessionUrl, { name: 'sessions-test', onError: ignore })
})

afterAll(() => redis.disconnect())

function guestStore(over: { redis?: Redis; memoryMs?: number } = {}): SessionStore<Guest> {
  return createSessionStore<Guest>({
    redis: over.redis ?? redis,
    idPrefix: 'gms',
    keyPrefix: 'gms_session:',
    ttlSeconds: 2_592_000,
    parse,
    ...(over.memoryMs !== undefined && { memoryMs: over.memoryMs }),
  })
}

describe('the session store', () => {
  it('opens a session with its cookie, and keeps nothing in Redis that would open it', async () => {
    const store = guestStore()
    const { session, cookieValue } = await store.create(guest)
    expect(await guestStore().load(cookieValue)).toMatchObject({
      kind: 'found',
      session: { data: guest },
    })

    const [, secret = ''] = cookieValue.split('.')
    const stored = JSON.stringify(await redis.hgetall(`gms_session:${session.id}`))
    expect(secret).toHaveLength(43)
    expect(stored).not.toContain(secret)
  })

  it('refuses a known id with any other secret, and anything that is not a cookie', async () => {
    const store = guestStore()
    const { session, cookieValue } = await store.create(guest)
    const other = await store.create(guest)
    const swapped = `${session.id}.${other.cookieValue.split('.')[1]}`
    const wrong = [
      swapped,
      session.id,
      `${session.id}.`,
      `${cookieValue}=`,
      `${cookieValue} `,
      '',
      'x',
      '\0',
    ]
    for (const value of wrong) expect(await store.load(value)).toEqual({ kind: 'none' })
  })

  it('slides the end of life', async () => {
    const { session, cookieValue } = await guestStore().create(guest)
    await redis.expire(`gms_session:${session.id}`, 10)
    await guestStore().load(cookieValue)
    expect(await redis.ttl(`gms_session:${session.id}`)).toBeGreaterThan(2_500_000)
  })

  it('finds a session by its id without making it live longer', async () => {
    const store = guestStore()
    const { session } = await store.create(guest)
    await redis.expire(`gms_session:${session.id}`, 60)
    expect(await store.find(session.id)).toEqual(session)
    expect(await redis.ttl(`gms_session:${session.id}`)).toBeLessThanOrEqual(60)
    expect(await store.find(newId('gms'))).toBeNull()
  })

  it('loses no change among a hundred concurrent ones', async () => {
    const store = guestStore()
    const { session, cookieValue } = await store.create(guest)
    const changes = Array.from({ length: 100 }, async () => {
      for (;;) {
        const done = await store
          .update(session.id, (data) => ({ ...data, viewed: data.viewed + 1 }))
          .catch(() => null)
        if (done !== null) return
      }
    })
    await Promise.all(changes)
    expect(await guestStore().load(cookieValue)).toMatchObject({
      session: { data: { viewed: 100 } },
    })
  })

  it('control: writing without comparing versions does lose changes', async () => {
    const { session } = await guestStore().create(guest)
    const key = `gms_session:${session.id}`
    const blindly = Array.from({ length: 100 }, async () => {
      const data = JSON.parse((await redis.hget(key, 'd')) ?? '') as Guest
      await redis.hset(key, 'd', JSON.stringify({ ...data, viewed: data.viewed + 1 }))
    })
    await Promise.all(blindly)
    const { viewed } = JSON.parse((await redis.hget(key, 'd')) ?? '') as Guest
    expect(viewed).toBeLessThan(100)
  })

  it('forgets what another process changed or destroyed', async () => {
    const [here, there] = [guestStore({ memoryMs: 60_000 }), guestStore({ memoryMs: 60_000 })]
    const { session, cookieValue } = await there.create(guest)
    await here.load(cookieValue)
    expect(here.loadNow(cookieValue)).not.toBeNull()

    await there.update(session.id, (data) => ({ ...data, locale: 'fa-AF' }))
    await expect.poll(() => here.loadNow(cookieValue)).toBeNull()
    expect(await here.load(cookieValue)).toMatchObject({ session: { data: { locale: 'fa-AF' } } })

    await there.destroy(session.id)
    await expect.poll(() => here.loadNow(cookieValue)).toBeNull()
    expect(await here.load(cookieValue)).toEqual({ kind: 'none' })
  })

  it('goes on with its own changes, and never with what it only remembers', async () => {
    const store = guestStore({ memoryMs: 60_000 })
    const { session, cookieValue } = await store.create(guest)
    await store.load(cookieValue)
    const view = (data: Guest) => ({ ...data, viewed: data.viewed + 1 })
    await store.update(session.id, view)
    expect(store.loadNow(cookieValue)).toMatchObject({ version: 2, data: { viewed: 1 } })

    // As if another process had changed it and the news were still under way.
    const key = `gms_session:${session.id}`
    await redis.hset(key, 'v', 3, 'd', JSON.stringify({ locale: 'fa-AF', viewed: 7 }))
    expect(store.loadNow(cookieValue)).toMatchObject({ data: { viewed: 1 } })
    const unchanged = await store.update(session.id, (data) => data)
    expect(unchanged).toMatchObject({ version: 3, data: { locale: 'fa-AF', viewed: 7 } })
    const changed = await store.update(session.id, view)
    expect(changed).toMatchObject({ version: 4, data: { locale: 'fa-AF', viewed: 8 } })
    expect(store.loadNow(cookieValue)).toEqual(changed)
  })

  it('says what a session was when it ended, once', async () => {
    const store = guestStore()
    const { session } = await store.create(guest)
    await store.update(session.id, (data) => ({ ...data, viewed: 7 }))
    const ends = await Promise.all([1, 2, 3].map(() => store.destroy(session.id)))
    const last = ends.filter((end) => end !== null)
    expect(last).toEqual([{ id: session.id, version: 2, data: { ...guest, viewed: 7 } }])
    expect(await redis.exists(`gms_session:${session.id}`)).toBe(0)
    expect(await store.update(session.id, (data) => data)).toBeNull()
  })

  it('writes nothing for a change that is none, and works out anew one that was overtaken', async () => {
    const store = guestStore()
    const { session } = await store.create(guest)
    const same = await store.update(session.id, (data) => data)
    expect(same).toMatchObject({ version: 1, data: guest })
    expect(await redis.hget(`gms_session:${session.id}`, 'v')).toBe('1')
    let tries = 0
    const changed = await store.update(session.id, async (data) => {
      tries += 1
      if (tries === 1) await store.update(session.id, (now) => ({ ...now, locale: 'fa-AF' }))
      return { ...data, viewed: tries }
    })
    expect(changed).toMatchObject({ version: 3, data: { locale: 'fa-AF', viewed: 2 } })
  })

  it('treats a stored value of another shape as no session', async () => {
    const { session, cookieValue } = await guestStore().create(guest)
    await redis.hset(`gms_session:${session.id}`, 'd', '{"other":1}')
    expect(await guestStore().load(cookieValue)).toEqual({ kind: 'none' })
    expect(await guestStore().update(newId('gms'), (data) => data)).toBeNull()
  })
})

describe('with Redis gone', () => {
  it('answers from memory for a while, says unavailable for the unknown, and recovers', async () => {
    using folder = temporaryFolder()
    const server = await startRedis({ dataDir: folder.path, port: 0, policy: 'noeviction' })
    const client = createRedis(server.url, { name: 'sessions-down', onError: ignore })
    const store = guestStore({ redis: client, memoryMs: 0 })
    try {
      const known = await store.create(guest)
      const unknown = await store.create(guest)
      await store.load(known.cookieValue)
      await server.kill()
      expect(await store.load(known.cookieValue)).toMatchObject({ kind: 'found' })
      expect(await store.load(unknown.cookieValue)).toEqual({ kind: 'unavailable' })
      await expect(store.create(guest)).rejects.toMatchObject({
        code: 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
      })
      await server.restart()
      await expect
        .poll(() => store.load(unknown.cookieValue), { timeout: 8_000 })
        .toEqual({ kind: 'none' })
    } finally {
      client.disconnect()
      await server.stop()
    }
  })
})
