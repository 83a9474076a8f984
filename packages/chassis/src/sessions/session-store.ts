import { isProblem, problem } from '@melmastoon/domain'
import { newSecretCookie, parseSecretCookie } from '@melmastoon/security'
import { systemClock } from '../clock/index.ts'
import { channel, createSubscriber } from '../redis/index.ts'
import type { SessionLookup, SessionStore, SessionStoreOptions } from './session.ts'
import { createSessionMemory, type SessionMemory } from './session-memory.ts'
import { createSessionRecords, type SessionRecords } from './session-records.ts'

const UPDATE_TRIES_MAX = 8
const MEMORY_MS = 2_000

export function createSessionStore<T>(options: SessionStoreOptions<T>): SessionStore<T> {
  const { redis } = options
  const records = createSessionRecords(options)
  const memory = createSessionMemory<T>(options.memoryMs ?? MEMORY_MS, options.clock ?? systemClock)
  const changes = channel(redis, `session:${options.keyPrefix}`)
  const listener = {
    onMessage: (id: string) => memory.forget(id),
    onReconnect: () => memory.clear(),
  }
  createSubscriber(redis)
    .subscribe(changes, listener)
    .catch(() => undefined)

  /** Best effort: a process that misses it forgets by itself within `memoryMs`. */
  async function announce(id: string): Promise<void> {
    memory.forget(id)
    await redis.publish(changes, id).catch(() => undefined)
  }

  return {
    loadNow: (cookieValue) => memory.get(cookieValue),
    load: (cookieValue) => lookUp({ options, records, memory }, cookieValue),
    find: async (id) => (await records.peek(id))?.session ?? null,

    async create(data) {
      const { id, secretHash, cookieValue } = newSecretCookie(options.idPrefix)
      await records.insert(id, secretHash, data)
      return { session: { id, version: 1, data }, cookieValue }
    },

    async update(id, change) {
      for (let tries = 0; tries < UPDATE_TRIES_MAX; tries += 1) {
        const current = await records.read(id)
        if (current === null) return null
        const data = await change(current.session.data)
        if (data === current.session.data) return current.session
        if (await records.replace(current.session, data)) {
          await announce(id)
          return { id, version: current.session.version + 1, data }
        }
      }
      throw problem('MELMASTOON.GENERAL.CONFLICT')
    },

    async destroy(id) {
      const last = await records.remove(id)
      await announce(id)
      return last
    },
  }
}

interface Parts<T> {
  options: SessionStoreOptions<T>
  records: SessionRecords<T>
  memory: SessionMemory<T>
}

async function lookUp<T>(parts: Parts<T>, cookieValue: string): Promise<SessionLookup<T>> {
  const { options, records, memory } = parts
  const remembered = memory.get(cookieValue)
  if (remembered !== null) return { kind: 'found', session: remembered }
  const cookie = parseSecretCookie(cookieValue, options.idPrefix)
  if (cookie === null) return { kind: 'none' }
  try {
    const session = await memory.fill(cookie.id, cookieValue, async () => {
      const found = await records.read(cookie.id)
      return found !== null && found.secretHash === cookie.secretHash ? found.session : null
    })
    return session === null ? { kind: 'none' } : { kind: 'found', session }
  } catch (error) {
    if (!isProblem(error)) throw error
    const stale = memory.getStale(cookieValue)
    return stale === null ? { kind: 'unavailable' } : { kind: 'found', session: stale }
  }
}
