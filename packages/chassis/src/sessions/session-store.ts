import { type Id, type IdPrefix, idTimeMs, isProblem, newId, problem } from '@melmastoon/domain'
import { SessionCookies } from '@melmastoon/security'
import { systemClock } from '../clock/index.ts'
import { channel as channelOf, createSubscriber } from '../redis/index.ts'
import type {
  PresentedCookie,
  Session,
  SessionLookup,
  SessionStore,
  SessionStoreOptions,
} from './session.ts'
import { createSessionMemory } from './session-memory.ts'
import { createSessionRecords, type StoredSession } from './session-records.ts'

const UPDATE_TRIES_MAX = 8
const MEMORY_MS = 2_000
/** Longer than any request: none that began before the clearing stores the session again. */
const TOMBSTONE_MIN_SECONDS = 3_600

/** A version to change, and which stored version the result replaces. */
interface Base<T, P extends IdPrefix> {
  readonly session: Session<T, P>
  readonly replaced: number | null
}

/**
 * Sessions of which Redis holds only those with content (P18). The cookie proves the session by
 * itself (D25); a record adds what is remembered, a tombstone ends it before its time.
 */
export function createSessionStore<T, P extends IdPrefix>(
  options: SessionStoreOptions<T, P>,
): SessionStore<T, P> {
  const { redis, clock = systemClock, ttlSeconds } = options
  const cookies = new SessionCookies(options.keys, options.idPrefix)
  const channel = channelOf(redis, `session:${options.keyPrefix}`)
  const records = createSessionRecords({ ...options, channel })
  /** Data is null for a session for which nothing is stored. */
  const memory = createSessionMemory<T | null, P>(options.memoryMs ?? MEMORY_MS, clock)
  const listener = {
    onMessage(message: string) {
      const [id = '', version] = message.split(' ')
      if (version === undefined) memory.forget(id)
      else memory.forget(id, Number(version))
    },
    onReconnect: () => memory.clear(),
  }
  createSubscriber(redis)
    .subscribe(channel, listener)
    .catch(() => undefined)

  const expiresInSeconds = (id: Id<P>) =>
    ttlSeconds - Math.floor((clock.nowMs() - idTimeMs(id)) / 1_000)

  /** Null when the session was cleared or has expired. */
  function baseOf(stored: StoredSession<T, P>, known: Session<T, P>): Base<T, P> | null {
    if (stored === 'ended') return null
    if (stored !== 'absent') return { session: stored, replaced: stored.version }
    return expiresInSeconds(known.id) > 0 ? { session: known, replaced: null } : null
  }

  function rememberedBase(known: Session<T, P>): Base<T, P> | null {
    const remembered = memory.find(known.id)
    if (remembered === null) return null
    const { id, version, data } = remembered
    if (data === null) return { session: known, replaced: null }
    return { session: { id, version, data }, replaced: version }
  }

  async function write(session: Session<T, P>, replaced: number | null) {
    const result = await records.write(session, replaced)
    if (result === 'written') memory.renew(session)
    return result
  }

  type Change = (data: T) => T | Promise<T>

  /** The given version itself when the change is none. */
  async function attempt({ session, replaced }: Base<T, P>, change: Change) {
    const data = await change(session.data)
    if (data === session.data) return session
    const changed = { id: session.id, version: session.version + 1, data }
    const result = await write(changed, replaced)
    return result === 'written' ? changed : result
  }

  async function read(id: Id<P>): Promise<Session<T | null, P> | null> {
    const stored = await records.read(id)
    if (stored === 'ended') return null
    if (stored !== 'absent') return stored
    return expiresInSeconds(id) > 0 ? { id, version: 0, data: null } : null
  }

  return {
    start(data, tenantId) {
      const session = { id: newId(options.idPrefix), version: 0, data }
      return { session, cookieValue: cookies.issue(session.id, tenantId) }
    },

    async store(session) {
      const stored = { ...session, version: session.version + 1 }
      const result = await write(stored, null)
      if (result !== 'written') throw problem('MELMASTOON.GENERAL.CONFLICT')
      return stored
    },

    cookieValueOf: ({ id }, tenantId) => cookies.issue(id, tenantId),

    loadNow(cookie) {
      const known = memory.get(presentedId(cookie), memoryKeyOf(cookie))
      return known === null ? null : withData(known, cookie)
    },

    async load(cookie): Promise<SessionLookup<T, P>> {
      const key = memoryKeyOf(cookie)
      const fresh = memory.get(presentedId(cookie), key)
      if (fresh !== null) return { kind: 'found', session: withData(fresh, cookie) }
      const id = cookies.verify(cookie.value, cookie.tenantId)
      if (id === null) return { kind: 'none' }
      try {
        const session = await memory.fill(id, key, () => read(id))
        if (session === null) return { kind: 'none' }
        return { kind: 'found', session: withData(session, cookie) }
      } catch (error) {
        if (!isProblem(error)) throw error
        const stale = memory.getStale(id, key)
        if (stale !== null) return { kind: 'found', session: withData(stale, cookie) }
        const session = { id, version: 0, data: cookie.initialData(id) }
        return { kind: 'unavailable', session }
      }
    },

    async reload(session) {
      return baseOf(await records.peek(session.id), session)?.session ?? null
    },

    async find(id) {
      const stored = await records.peek(id)
      return typeof stored === 'string' ? null : stored
    },

    async update(session, change) {
      // The copy in memory may be outdated: then its change conflicts, and "no change" is not sure.
      const remembered = rememberedBase(session)
      const early = remembered && (await attempt(remembered, change))
      if (early === 'cleared') return null
      if (early !== null && early !== 'conflict' && early !== remembered?.session) return early
      for (let tries = 0; tries < UPDATE_TRIES_MAX; tries += 1) {
        const base = baseOf(await records.read(session.id), session)
        if (base === null) return null
        const changed = await attempt(base, change)
        if (changed === 'cleared') return null
        if (changed !== 'conflict') return changed
      }
      throw problem('MELMASTOON.GENERAL.CONFLICT')
    },

    async clear(id) {
      const seconds = Math.max(expiresInSeconds(id), TOMBSTONE_MIN_SECONDS)
      const last = await records.clear(id, seconds)
      memory.forget(id)
      return typeof last === 'string' ? null : last
    },

    isCleared: (id) => records.isCleared(id),
  }
}

/** A cookie of one tenant must not be found at another (D26). */
function memoryKeyOf<T, P extends IdPrefix>({
  value,
  tenantId = '',
}: PresentedCookie<T, P>): string {
  return tenantId === '' ? value : `${tenantId} ${value}`
}

/** As the client claims it: it finds a copy only together with a verified cookie. */
function presentedId({ value }: { readonly value: string }): string {
  return value.slice(0, value.indexOf('.'))
}

function withData<T, P extends IdPrefix>(
  known: Session<T | null, P>,
  { initialData }: PresentedCookie<T, P>,
): Session<T, P> {
  const { id, version, data } = known
  return { id, version, data: data ?? initialData(id) }
}
