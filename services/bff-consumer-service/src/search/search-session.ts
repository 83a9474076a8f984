import { defineScript, type KeySpace, type Redis } from '@melmastoon/chassis/redis'
import type { AttachedWrite } from '@melmastoon/chassis/sessions'
import {
  type CurrencyCode,
  type GuestSessionId,
  type IsoDateTime,
  type Locale,
  problem,
  type SearchSessionId,
} from '@melmastoon/domain'
import type { GuestSessions } from '../sessions/guest-session.ts'
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
  /** Nothing is saved once the guest has cleared their session. */
  save(session: SearchSession): Promise<void>
  /** All searches of a guest so far: those that are saved meanwhile remain in their list. */
  deleteAll(guestSessionId: GuestSessionId): Promise<void>
}

/** The search, and the searches of the guest without expired ones. */
const SAVE_LUA = `
redis.call('SET', KEYS[2], args[1], 'PXAT', args[2])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', args[3])
redis.call('ZADD', KEYS[3], args[2], args[4])
redis.call('PEXPIRE', KEYS[3], args[5])
`

/** At once, so that a search that is saved meanwhile is either deleted, or in the list. */
const DELETE_LUA = `
for at, id in ipairs(ARGV) do
  redis.call('DEL', KEYS[at + 1])
  redis.call('ZREM', KEYS[1], id)
end
`

/** Redis does nothing else while a script runs. */
const DELETED_AT_ONCE = 500

export interface SearchSessionDeps {
  readonly redis: Redis
  readonly keys: KeySpace
  readonly sessions: Pick<GuestSessions, 'attach' | 'defineAttachment' | 'slotOf'>
}

export function createSearchSessions(deps: SearchSessionDeps): SearchSessions {
  const { redis, keys, sessions } = deps
  const [session, searches] = [keys.prefix('search-session'), keys.prefix('guest-searches')]
  const keyOf = (guest: GuestSessionId, id: string) => `${session}${sessions.slotOf(guest)}:${id}`
  const listOf = (guest: GuestSessionId) => `${searches}${sessions.slotOf(guest)}`
  const lua = { name: 'search-save', lua: SAVE_LUA, numberOfKeys: 2 }
  const attachment = sessions.defineAttachment(lua)
  const removal = { name: 'search-delete', lua: DELETE_LUA, numberOfKeys: 'any' } as const
  const remove = defineScript(redis, removal)

  async function deleteAll(guest: GuestSessionId): Promise<void> {
    const list = listOf(guest)
    const ids = await redis.zrange(list, 0, -1)
    for (let at = 0; at < ids.length; at += DELETED_AT_ONCE) {
      const some = ids.slice(at, at + DELETED_AT_ONCE)
      await remove.run([list, ...some.map((id) => keyOf(guest, id))], some)
    }
  }

  function attachmentOf(saved: SearchSession): AttachedWrite {
    const { id, guestSessionId: guest } = saved
    const touchedAtMs = Date.parse(saved.lastInteractionAt)
    const endsAtMs = Date.parse(saved.ttlExpiresAt)
    return {
      attachment,
      keys: [keyOf(guest, id), listOf(guest)],
      args: [JSON.stringify(saved), endsAtMs, touchedAtMs, id, SEARCH_SESSION_MS],
    }
  }

  return {
    deleteAll: (guest) => deleteAll(guest).catch(unavailable),
    async save(saved) {
      await sessions.attach(saved.guestSessionId, attachmentOf(saved))
    },
  }
}

function unavailable(cause: unknown): never {
  throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
}
