import { KeyRing } from '@melmastoon/security'
import { testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeySpace, createRedis, type Redis } from '../../src/redis/index.ts'
import { createSessionStore } from '../../src/sessions/index.ts'

const key = Buffer.alloc(32, 1).toString('base64url')
const guest = { viewed: 0 }
type Guest = typeof guest
let redis: Redis

beforeAll(async () => {
  const { sessionUrl } = await testRedis()
  redis = createRedis(sessionUrl, { name: 'attachments', onError: () => undefined })
})
afterAll(() => redis.disconnect())

function openStore() {
  const store = createSessionStore<Guest, 'gms'>({
    redis,
    keys: KeyRing.parse(`k1:active:${key}`),
    idPrefix: 'gms',
    keyPrefix: createKeySpace('test-service').prefix('attached'),
    ttlSeconds: 3_600,
    parse: (value) => value as Guest,
  })
  const lua = `redis.call('SET', KEYS[2], args[1]) redis.call('SADD', KEYS[3], args[2])`
  const attachment = store.defineAttachment({ name: 'note', lua, numberOfKeys: 2 })
  type SessionId = Parameters<typeof store.clear>[0]
  const keysOf = (id: SessionId) => ['note', 'notes'].map((name) => `${name}:${store.slotOf(id)}`)
  const note = (id: SessionId, text: string) => ({
    attachment,
    keys: keysOf(id),
    args: [text, `in list: ${text}`],
  })
  const noted = async (id: SessionId) => {
    const [text = '', list = ''] = keysOf(id)
    return [await redis.get(text), ...(await redis.smembers(list)).toSorted()]
  }
  return { store, note, noted, keysOf }
}

describe('what is attached to a session', () => {
  it('is written, without a change of the session', async () => {
    const { store, note, noted } = openStore()
    const { session } = store.start(guest)
    expect(await store.attach(session.id, note(session.id, 'a'))).toBe(true)
    expect(await noted(session.id)).toEqual(['a', 'in list: a'])
    expect(await store.find(session.id)).toBeNull()
  })

  it('is not written once the session is cleared', async () => {
    const { store, note, noted } = openStore()
    const { session } = store.start(guest)
    await store.clear(session.id)
    expect(await store.attach(session.id, note(session.id, 'a'))).toBe(false)
    expect(await noted(session.id)).toEqual([null])
  })

  it('is not left behind by a clearing at the same time; control: other writes are', async () => {
    const { store, note, noted, keysOf } = openStore()
    const rounds = Array.from({ length: 50 }, async (_, round) => {
      const { session } = store.start(guest)
      const { id } = session
      const clear = async () => {
        await store.clear(id)
        await redis.del(...keysOf(id))
      }
      const write = () => store.attach(id, note(id, 'a'))
      await Promise.all(round % 2 === 0 ? [clear(), write()] : [write(), clear()])
      return await noted(id)
    })
    expect(new Set((await Promise.all(rounds)).flat())).toEqual(new Set([null]))
    const { session } = store.start(guest)
    const [text = ''] = keysOf(session.id)
    await store.clear(session.id)
    await redis.set(text, 'a')
    expect(await noted(session.id)).toEqual(['a'])
  })

  it('belongs to the store that has defined it', async () => {
    const [one, two] = [openStore(), openStore()]
    const { session } = one.store.start(guest)
    await expect(one.store.attach(session.id, two.note(session.id, 'a'))).rejects.toThrow(TypeError)
  })
})
