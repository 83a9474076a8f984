import { isProblem, problem } from '@melmastoon/domain'
import { newSecretCookie, parseSecretCookie } from '@melmastoon/security'
import { systemClock } from '../clock/index.ts'
import { channel, createSubscriber } from '../redis/index.ts'
import type { Session, SessionLookup, SessionStore, SessionStoreOptions } from './session.ts'
import { createSessionMemory, type SessionMemory } from './session-memory.ts'
import { createSessionRecords, type SessionRecords } from './session-records.ts'

type Change<T> = (data: T) => T | Promise<T>

const UPDATE_TRIES_MAX = 8
const MEMORY_MS = 2_000

export function createSessionStore<T>(options: SessionStoreOptions<T>): SessionStore<T> {
  const { redis } = options
  const changes = channel(redis, `session:${options.keyPrefix}`)
  const records = createSessionRecords({ ...options, changes })
  const memory = createSessionMemory<T>(options.memoryMs ?? MEMORY_MS, options.clock ?? systemClock)
  const listener = {
    onMessage(message: string) {
      const [id = '', version] = message.split(' ')
      if (version === undefined) memory.forget(id)
      else memory.forget(id, Number(version))
    },
    onReconnect: () => memory.clear(),
  }
  createSubscriber(redis)
    .subscribe(changes, listener)
    .catch(() => undefined)

  async function attempt(known: Session<T>, change: Change<T>): Promise<Session<T> | null> {
    const { id, version } = known
    const data = await change(known.data)
    if (data === known.data) return known
    if (!(await records.replace(known, data))) return null
    const changed = { id, version: version + 1, data }
    memory.renew(changed)
    return changed
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
      // What is remembered may be old: its change is refused then, and "no change" says nothing.
      const remembered = memory.find(id)
      const early = remembered === null ? null : await attempt(remembered, change)
      if (early !== null && early !== remembered) return early
      for (let tries = 0; tries < UPDATE_TRIES_MAX; tries += 1) {
        const current = await records.read(id)
        if (current === null) return null
        const changed = await attempt(current.session, change)
        if (changed !== null) return changed
      }
      throw problem('MELMASTOON.GENERAL.CONFLICT')
    },

    async destroy(id) {
      const last = await records.remove(id)
      memory.forget(id)
      // Best effort: a process that misses it forgets by itself within `memoryMs`.
      await redis.publish(changes, id).catch(() => undefined)
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
