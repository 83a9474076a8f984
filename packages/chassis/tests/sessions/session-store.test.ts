import { hash } from 'node:crypto'
import { newId } from '@melmastoon/domain'
import { startRedis } from '@melmastoon/one-machine'
import { KeyRing } from '@melmastoon/security'
import { temporaryFolder, testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeySpace, createRedis, type Redis } from '../../src/redis/index.ts'
import { createSessionStore, type SessionStore } from '../../src/sessions/index.ts'

interface Guest {
  locale: string
  viewed: number
}

type GuestStore = SessionStore<Guest, 'gms'>

const LIFE_SECONDS = 2_592_000
const ignore = () => undefined
const parse = (value: unknown) =>
  typeof value === 'object' && value !== null && 'locale' in value ? (value as Guest) : null
const guest: Guest = { locale: 'ps-AF', viewed: 0 }
const fallback: Guest = { locale: 'en', viewed: 0 }
const key = (fill: number) => Buffer.alloc(32, fill).toString('base64url')
const KEYS = `k1:active:${key(1)}`
const PREFIX = createKeySpace('test-service').prefix('session')
const keyOf = (id: string) => `${PREFIX}${hash('sha256', id, 'base64url')}`
const view = (data: Guest) => ({ ...data, viewed: data.viewed + 1 })
let redis: Redis

beforeAll(async () => {
  const { sessionUrl } = await testRedis()
  redis = createRedis(sessionUrl, { name: 'sessions-test', onError: ignore })
})

afterAll(() => redis.disconnect())

interface Over {
  redis?: Redis
  memoryMs?: number
  keys?: string
  ttlSeconds?: number
}

function guestStore({ keys = KEYS, ...over }: Over = {}): GuestStore {
  return createSessionStore<Guest, 'gms'>({
    redis,
    keys: KeyRing.parse(keys),
    idPrefix: 'gms',
    keyPrefix: PREFIX,
    ttlSeconds: LIFE_SECONDS,
    parse,
    ...over,
  })
}

const presented = (value: string, tenantId = '') => ({
  value,
  tenantId,
  initialData: () => fallback,
})

async function startStored(store: GuestStore) {
  const { session, cookieValue } = store.start(guest)
  return { session: await store.store(session), cookieValue }
}

describe('P18 a session without content', () => {
  it('P18 is verified by every process, with nothing stored', async () => {
    const { session, cookieValue } = guestStore().start(guest)
    expect(await guestStore().load(presented(cookieValue))).toEqual({
      kind: 'found',
      session: { id: session.id, version: 0, data: fallback },
    })
    expect(await redis.exists(keyOf(session.id))).toBe(0)
  })

  it('P18 has the data of each request, from memory too', async () => {
    const store = guestStore({ memoryMs: 60_000 })
    const { cookieValue } = store.start(guest)
    await store.load(presented(cookieValue))
    const locales = ['fa-AF', 'ps-AF'].map((locale) => {
      const initialData = () => ({ locale, viewed: 0 })
      return store.loadNow({ value: cookieValue, initialData })?.data.locale
    })
    expect(locales).toEqual(['fa-AF', 'ps-AF'])
  })

  it('P18 is stored with its first change, and known to all processes', async () => {
    const [here, there] = [guestStore({ memoryMs: 60_000 }), guestStore({ memoryMs: 60_000 })]
    const { session, cookieValue } = here.start(guest)
    for (const store of [here, there]) await store.load(presented(cookieValue))
    const changed = await here.update({ ...session, data: fallback }, view)
    expect(changed).toEqual({ id: session.id, version: 1, data: { ...fallback, viewed: 1 } })
    expect(here.loadNow(presented(cookieValue))).toEqual(changed)
    await expect.poll(() => there.loadNow(presented(cookieValue))).toBeNull()
    expect(await there.load(presented(cookieValue))).toEqual({ kind: 'found', session: changed })
  })

  it('P18 is not stored by a change without effect', async () => {
    const store = guestStore()
    const { session } = store.start(guest)
    expect(await store.update(session, (data) => data)).toEqual(session)
    expect(await redis.exists(keyOf(session.id))).toBe(0)
  })

  it('P18 loses no change among a hundred concurrent first ones', async () => {
    const { session, cookieValue } = guestStore().start(guest)
    const stores = [guestStore(), guestStore()]
    const changes = Array.from({ length: 100 }, async (_, at) => {
      const store = stores[at % 2] ?? guestStore()
      for (;;) {
        const done = await store.update(session, view).catch(() => null)
        if (done !== null) return
      }
    })
    await Promise.all(changes)
    expect(await guestStore().load(presented(cookieValue))).toMatchObject({
      session: { version: 100, data: { viewed: 100 } },
    })
  })

  it('P18 loses none of thirty changes of one process that are sent at once', async () => {
    const store = guestStore()
    const { session, cookieValue } = store.start(guest)
    // In memory, so that all of them start from the same version.
    await store.load(presented(cookieValue))
    const changed = await Promise.all(Array.from({ length: 30 }, () => store.update(session, view)))
    expect(changed.map((version) => version?.version).toSorted((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, at) => at + 1),
    )
  })

  it('P18 expires a fixed time after its start', async () => {
    const store = guestStore({ ttlSeconds: 1, memoryMs: 0 })
    const { session, cookieValue } = store.start(guest)
    expect(await store.load(presented(cookieValue))).toMatchObject({ kind: 'found' })
    await expect
      .poll(() => store.load(presented(cookieValue)), { timeout: 3_000 })
      .toEqual({ kind: 'none' })
    expect(await store.update(session, view)).toBeNull()
    expect(await store.reload(session)).toBeNull()
  })

  it('P18 is restored from the data of the request after Redis lost its data', async () => {
    const store = guestStore()
    const { session, cookieValue } = await startStored(store)
    await redis.del(keyOf(session.id))
    expect(await store.reload(session)).toEqual(session)
    expect(await store.update(session, view)).toMatchObject({
      version: 2,
      data: { locale: 'ps-AF', viewed: 1 },
    })
    expect(await guestStore().load(presented(cookieValue))).toMatchObject({ kind: 'found' })
  })
})

describe('a stored session', () => {
  it('D25 is found by its cookie, and Redis contains neither its id nor its secret', async () => {
    const { session, cookieValue } = await startStored(guestStore())
    expect(await guestStore().load(presented(cookieValue))).toEqual({ kind: 'found', session })
    const secret = cookieValue.split('.')[2] ?? ''
    const stored = JSON.stringify(await redis.hgetall(keyOf(session.id)))
    expect(secret).toHaveLength(43)
    expect(stored).not.toContain(secret)
    expect(await redis.keys(`*${session.id}*`)).toEqual([])
  })

  it('rejects a known id with any other secret, and anything that is not a cookie', async () => {
    const store = guestStore()
    const { session, cookieValue } = await startStored(store)
    const other = store.start(guest)
    await store.load(presented(cookieValue))
    const wrong = [
      `${session.id}.k1.${other.cookieValue.split('.')[2]}`,
      session.id,
      `${session.id}.`,
      `${cookieValue}=`,
      `${cookieValue} `,
      '',
      'x',
      '\0',
    ]
    for (const value of wrong) expect(await store.load(presented(value))).toEqual({ kind: 'none' })
  })

  it('D26 is not a session of another tenant, not even from memory', async () => {
    const store = guestStore({ memoryMs: 60_000 })
    const [here, there] = [newId('tnt'), newId('tnt')]
    const { cookieValue } = store.start(guest, here)
    expect(await store.load(presented(cookieValue, here))).toMatchObject({ kind: 'found' })
    expect(store.loadNow(presented(cookieValue, there))).toBeNull()
    for (const tenant of [there, '']) {
      expect(await store.load(presented(cookieValue, tenant))).toEqual({ kind: 'none' })
    }
  })

  it('extends its life when it is read', async () => {
    const { session, cookieValue } = await startStored(guestStore())
    await redis.expire(keyOf(session.id), 10)
    await guestStore().load(presented(cookieValue))
    expect(await redis.ttl(keyOf(session.id))).toBeGreaterThan(2_500_000)
  })

  it('is reloaded without extending its life', async () => {
    const store = guestStore()
    const { session } = await startStored(store)
    await guestStore().update(session, view)
    await redis.expire(keyOf(session.id), 60)
    for (const found of [await store.reload(session), await store.find(session.id)]) {
      expect(found).toMatchObject({ version: 2, data: { viewed: 1 } })
    }
    expect(await store.find(newId('gms'))).toBeNull()
    expect(await redis.ttl(keyOf(session.id))).toBeLessThanOrEqual(60)
  })

  it('control: writing without comparing versions loses changes', async () => {
    const { session } = await startStored(guestStore())
    const record = keyOf(session.id)
    const blindly = Array.from({ length: 100 }, async () => {
      const data = JSON.parse((await redis.hget(record, 'd')) ?? '') as Guest
      await redis.hset(record, 'd', JSON.stringify(view(data)))
    })
    await Promise.all(blindly)
    const { viewed } = JSON.parse((await redis.hget(record, 'd')) ?? '') as Guest
    expect(viewed).toBeLessThan(100)
  })

  it('is dropped from memory when another process changed or cleared it', async () => {
    const [here, there] = [guestStore({ memoryMs: 60_000 }), guestStore({ memoryMs: 60_000 })]
    const { session, cookieValue } = await startStored(there)
    const cookie = presented(cookieValue)
    await here.load(cookie)
    expect(here.loadNow(cookie)).not.toBeNull()

    await there.update(session, (data) => ({ ...data, locale: 'fa-AF' }))
    await expect.poll(() => here.loadNow(cookie)).toBeNull()
    expect(await here.load(cookie)).toMatchObject({ session: { data: { locale: 'fa-AF' } } })

    await there.clear(session.id)
    await expect.poll(() => here.loadNow(cookie)).toBeNull()
    expect(await here.load(cookie)).toEqual({ kind: 'none' })
  })

  it('continues with its own changes, and never with an outdated copy', async () => {
    const store = guestStore({ memoryMs: 60_000 })
    const { session, cookieValue } = await startStored(store)
    const cookie = presented(cookieValue)
    await store.load(cookie)
    await store.update(session, view)
    expect(store.loadNow(cookie)).toMatchObject({ version: 2, data: { viewed: 1 } })

    // As if another process had changed it and the notification were still on its way.
    await redis.hset(keyOf(session.id), 'v', 3, 'd', JSON.stringify({ locale: 'fa-AF', viewed: 7 }))
    expect(store.loadNow(cookie)).toMatchObject({ data: { viewed: 1 } })
    const unchanged = await store.update(session, (data) => data)
    expect(unchanged).toMatchObject({ version: 3, data: { locale: 'fa-AF', viewed: 7 } })
    const changed = await store.update(session, view)
    expect(changed).toMatchObject({ version: 4, data: { locale: 'fa-AF', viewed: 8 } })
    expect(store.loadNow(cookie)).toEqual(changed)
  })

  it('writes nothing for an unchanged session, and repeats a change after a conflict', async () => {
    const store = guestStore()
    const { session } = await startStored(store)
    const same = await store.update(session, (data) => data)
    expect(same).toMatchObject({ version: 1, data: guest })
    expect(await redis.hget(keyOf(session.id), 'v')).toBe('1')
    let tries = 0
    const changed = await store.update(session, async (data) => {
      tries += 1
      if (tries === 1) await store.update(session, (now) => ({ ...now, locale: 'fa-AF' }))
      return { ...data, viewed: tries }
    })
    expect(changed).toMatchObject({ version: 3, data: { locale: 'fa-AF', viewed: 2 } })
  })

  it('is treated as absent when its stored value has another shape', async () => {
    const { session, cookieValue } = await startStored(guestStore())
    await redis.hset(keyOf(session.id), 'd', '{"other":1}')
    expect(await guestStore().load(presented(cookieValue))).toEqual({ kind: 'none' })
  })
})

describe('a cleared session', () => {
  it('D25 leaves a tombstone under a hash for the rest of its life', async () => {
    const store = guestStore()
    const { session, cookieValue } = await startStored(store)
    await store.clear(session.id)
    expect(await redis.hgetall(keyOf(session.id))).toEqual({ c: '1' })
    const ttlSeconds = await redis.ttl(keyOf(session.id))
    expect(ttlSeconds).toBeGreaterThan(LIFE_SECONDS - 60)
    expect(ttlSeconds).toBeLessThanOrEqual(LIFE_SECONDS)
    expect(await redis.keys(`*${session.id}*`)).toEqual([])
    for (const at of [store, guestStore()]) {
      expect(await at.load(presented(cookieValue))).toEqual({ kind: 'none' })
      expect(await redis.hexists(keyOf(session.id), 'c')).toBe(1)
    }
    expect(await redis.ttl(keyOf(session.id))).toBeLessThanOrEqual(ttlSeconds)
  })

  it('D25 stays cleared although nothing was stored, also after later changes', async () => {
    const store = guestStore()
    const { session, cookieValue } = store.start(guest)
    expect(await redis.exists(keyOf(session.id))).toBe(0)
    expect(await store.clear(session.id)).toBeNull()
    expect(await store.update(session, view)).toBeNull()
    await expect(store.store(session)).rejects.toMatchObject({
      code: 'MELMASTOON.GENERAL.CONFLICT',
    })
    expect(await store.reload(session)).toBeNull()
    expect(await guestStore().load(presented(cookieValue))).toEqual({ kind: 'none' })
  })

  it('D25 control: without the tombstone its cookie would open it again', async () => {
    const store = guestStore()
    const { session, cookieValue } = store.start(guest)
    await store.clear(session.id)
    await redis.del(keyOf(session.id))
    expect(await store.load(presented(cookieValue))).toMatchObject({ kind: 'found' })
  })

  it('returns the last version, once', async () => {
    const store = guestStore()
    const { session } = await startStored(store)
    await store.update(session, (data) => ({ ...data, viewed: 7 }))
    const ends = await Promise.all([1, 2, 3].map(() => store.clear(session.id)))
    const last = ends.filter((end) => end !== null)
    expect(last).toEqual([{ id: session.id, version: 2, data: { ...guest, viewed: 7 } }])
    expect(await store.update(session, (data) => data)).toBeNull()
  })

  it('has a tombstone that outlives all earlier requests, however old the session is', async () => {
    const store = guestStore({ ttlSeconds: 60 })
    const { session } = await startStored(store)
    await store.clear(session.id)
    expect(await redis.ttl(keyOf(session.id))).toBeGreaterThan(3_500)
  })
})

describe('D25 rotation of keys', () => {
  it('D25 preserves sessions, and ends those of a retired key', async () => {
    const { session, cookieValue } = await startStored(guestStore())
    const during = guestStore({ keys: `k1:grace:${key(1)},k2:active:${key(2)}` })
    expect(await during.load(presented(cookieValue))).toEqual({ kind: 'found', session })
    const renewed = during.cookieValueOf(session)

    const after = guestStore({ keys: `k1:retired:${key(1)},k2:active:${key(2)}` })
    expect(await after.load(presented(renewed))).toEqual({ kind: 'found', session })
    expect(await after.load(presented(cookieValue))).toEqual({ kind: 'none' })
  })
})

describe('with Redis unavailable', () => {
  it('D25 verifies by the cookie alone, starts sessions, and recovers', async () => {
    using folder = temporaryFolder()
    const server = await startRedis({ dataDir: folder.path, port: 0, policy: 'noeviction' })
    const client = createRedis(server.url, { name: 'sessions-down', onError: ignore })
    const store = guestStore({ redis: client, memoryMs: 0 })
    try {
      const known = await startStored(store)
      const unknown = await startStored(store)
      await store.load(presented(known.cookieValue))
      await server.kill()
      expect(await store.load(presented(known.cookieValue))).toMatchObject({
        kind: 'found',
        session: { data: guest },
      })
      const started = store.start(guest)
      for (const { session, cookieValue } of [unknown, started]) {
        expect(await store.load(presented(cookieValue))).toEqual({
          kind: 'unavailable',
          session: { id: session.id, version: 0, data: fallback },
        })
      }
      expect(await store.load(presented(`${unknown.cookieValue}x`))).toEqual({ kind: 'none' })
      await expect(store.store(started.session)).rejects.toMatchObject({
        code: 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
      })
      await server.restart()
      await expect
        .poll(() => store.load(presented(unknown.cookieValue)), { timeout: 8_000 })
        .toMatchObject({ kind: 'found' })
    } finally {
      client.disconnect()
      await server.stop()
    }
  })
})
