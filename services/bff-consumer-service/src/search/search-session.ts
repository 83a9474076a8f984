import { defineScript, hashedPart, type KeySpace, type Redis } from '@melmastoon/chassis/redis'
import {
  type CurrencyCode,
  type GuestSessionId,
  type IsoDateTime,
  type Locale,
  problem,
  type SearchSessionId,
} from '@melmastoon/domain'
import type { SearchQuery } from './search-query.ts'

export const SEARCH_SESSION_MS = 3_600_000

/** Domain model §2.2. */
export interface SearchSession extends SearchQuery {
  readonly id: SearchSessionId
  readonly guestSessionId: GuestSessionId
  readonly queryHash: string
  readonly locale: Locale
  readonly currency: CurrencyCode
  readonly startedAt: IsoDateTime
  readonly lastInteractionAt: IsoDateTime
  readonly resultCount?: number
  /** An hour after the start, independent of activity. */
  readonly ttlExpiresAt: IsoDateTime
}

export interface SearchSessions {
  save(session: SearchSession): Promise<void>
  /**
   * All searches of a guest. A concurrent `save` sees that the session was cleared, and deletes.
   */
  deleteAll(guestSessionId: GuestSessionId): Promise<void>
}

/** The searches of a guest, without expired ones. */
const LIST_LUA = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
`

export interface SearchSessionDeps {
  readonly redis: Redis
  readonly keys: KeySpace
  /** Whether a guest has cleared their session. */
  readonly isCleared: (guest: GuestSessionId) => Promise<boolean>
}

export function createSearchSessions({
  redis,
  keys,
  isCleared,
}: SearchSessionDeps): SearchSessions {
  const [session, searches] = [keys.prefix('search-session'), keys.prefix('guest-searches')]
  const keyOf = (id: string) => `${session}${id}`
  const listOf = (guest: string) => `${searches}${hashedPart(guest)}`
  const list = defineScript(redis, { name: 'search-list', lua: LIST_LUA, numberOfKeys: 1 })

  async function deleteAll(guest: GuestSessionId): Promise<void> {
    const ids = await redis.zrange(listOf(guest), 0, -1)
    if (ids.length === 0) return
    // One by one, because on a cluster they are in different slots.
    await Promise.all(ids.map((id) => redis.del(keyOf(id))))
    // Only what was read: another search may have been added since.
    await redis.zrem(listOf(guest), ...ids)
  }

  return {
    deleteAll: (guest) => deleteAll(guest).catch(unavailable),
    async save(session) {
      const { id, guestSessionId: guest } = session
      const touchedAtMs = Date.parse(session.lastInteractionAt)
      const endsAtMs = Date.parse(session.ttlExpiresAt)
      // On one connection, in this order: what is in the list can be deleted.
      await Promise.all([
        redis.set(keyOf(id), JSON.stringify(session), 'PXAT', endsAtMs),
        list.run([listOf(guest)], [touchedAtMs, endsAtMs, id, SEARCH_SESSION_MS]),
      ])
      // Checked last: a clearing before this is seen here, a later one finds the list.
      // The list may be gone already, so the search is also deleted by its own name.
      if (await isCleared(guest)) await Promise.all([redis.del(keyOf(id)), deleteAll(guest)])
    },
  }
}

function unavailable(cause: unknown): never {
  throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
}
