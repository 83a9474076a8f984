import { KeyRing } from '@melmastoon/security'
import { testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
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

const view = ({ viewed }: Guest) => ({ viewed: viewed + 1 })

describe('what is attached to a session', () => {
  it('is written with a change of the session, by one command', async () => {
    const { store, note, noted } = openStore()
    const { session } = store.start(guest)
    // The first use sends the text of the script as well.
    await store.update(session, view, note(session.id, 'a'))
    const calls = vi.spyOn(redis, 'call')
    const changed = await store.update(session, view, note(session.id, 'b'))
    const commands = calls.mock.calls.filter(([, args]) => String(args).includes(session.id))
    calls.mockRestore()
    expect(changed?.data).toEqual({ viewed: 2 })
    expect(await noted(session.id)).toEqual(['b', 'in list: a', 'in list: b'])
    expect(commands).toHaveLength(1)
  })

  it('is written alone', async () => {
    const { store, note, noted } = openStore()
    const { session } = store.start(guest)
    expect(await store.attach(session.id, note(session.id, 'a'))).toBe(true)
    expect(await noted(session.id)).toEqual(['a', 'in list: a'])
    expect(await store.find(session.id)).toBeNull()
  })

  it('is written once when the change has to be repeated', async () => {
    const { store, note, noted } = openStore()
    const elsewhere = openStore().store
    const session = await store.store(store.start(guest).session)
    let attempts = 0
    const conflicting = async (data: Guest) => {
      attempts += 1
      if (attempts === 1) await elsewhere.update(session, view)
      return view(data)
    }
    const changed = await store.update(session, conflicting, note(session.id, 'a'))
    expect([attempts, changed?.data]).toEqual([2, { viewed: 2 }])
    expect(await noted(session.id)).toEqual(['a', 'in list: a'])
  })

  it('is not written once the session is cleared', async () => {
    const { store, note, noted } = openStore()
    const { session } = store.start(guest)
    await store.clear(session.id)
    expect(await store.update(session, view, note(session.id, 'a'))).toBeNull()
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
      const write = () => store.update(session, view, note(id, 'a'))
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
