import type { Redis } from '@melmastoon/chassis/redis'
import type {
  CurrencyCode,
  GuestSessionId,
  IsoDateTime,
  Locale,
  SearchSessionId,
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
  /** An hour after the start, whatever happens in between. */
  readonly ttlExpiresAt: IsoDateTime
}

export interface SearchSessions {
  save(session: SearchSession): Promise<void>
}

export function createSearchSessions(redis: Redis): SearchSessions {
  return {
    async save(session) {
      const endsAtMs = Date.parse(session.ttlExpiresAt)
      await redis.set(`srs_session:${session.id}`, JSON.stringify(session), 'PXAT', endsAtMs)
    },
  }
}
