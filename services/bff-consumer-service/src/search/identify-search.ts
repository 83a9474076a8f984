import { hash } from 'node:crypto'
import type { Clock } from '@melmastoon/chassis/clock'
import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import {
  idTimeMs,
  idToUuid,
  newId,
  type SearchSessionId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import type { LRUCache } from 'lru-cache'
import type {
  GuestSession,
  GuestSessionData,
  GuestSessions,
  SearchHistoryEntry,
} from '../sessions/guest-session.ts'
import { withSearch } from '../sessions/session-lists.ts'
import type { PageRequest } from './search-query.ts'
import { SEARCH_SESSION_MS, type SearchSession, type SearchSessions } from './search-session.ts'

export interface IdentifyDeps {
  readonly clock: Clock
  readonly recentSearches: LRUCache<string, RecentSearch>
  readonly searchSessions: SearchSessions
  readonly sessions: GuestSessions
  readonly background: BackgroundWork
}

/** A search of a guest that this process has served recently. */
export interface RecentSearch {
  readonly id: SearchSessionId
  readonly startedAtMs: number
  touchedAtMs: number
  /** The page that was last considered for telemetry, and when. */
  lastReport: { readonly pageKey: string; readonly atMs: number } | null
  isSaved: boolean
}

export interface Searching {
  readonly session: GuestSession
  readonly page: PageRequest
  readonly resultCount: number
  /** The session was started by this very request, and nothing is stored for it yet (P18). */
  readonly isNewSession: boolean
}

/** The precision of `lastInteractionAt`; a higher one would need a write for every page. */
const TOUCHED_EVERY_MS = 60_000

/**
 * The same query of the same guest within an hour is one search, over all of its pages; after that
 * it is a new one. Records are written in the background.
 */
export function identifySearch(deps: IdentifyDeps, searching: Searching): RecentSearch {
  const { session, page } = searching
  const key = `${session.id} ${page.queryHash}`
  const nowMs = deps.clock.nowMs()
  const seen = deps.recentSearches.get(key)
  const known = seen ?? fromHistory(session.data, page)
  if (known === undefined || nowMs >= known.startedAtMs + SEARCH_SESSION_MS) {
    const id = searchIdOf(searching, nowMs)
    const started = { id, startedAtMs: nowMs, touchedAtMs: nowMs, lastReport: null, isSaved: false }
    deps.recentSearches.set(key, started)
    saveUnlessNew(deps, searching, started)
    return started
  }
  if (seen === undefined) deps.recentSearches.set(key, known)
  if (!known.isSaved) saveUnlessNew(deps, searching, known)
  if (nowMs - known.touchedAtMs >= TOUCHED_EVERY_MS) {
    known.touchedAtMs = nowMs
    deps.background.run(`search ${known.id}`, () =>
      deps.searchSessions.save(describeSearch(searching, known)),
    )
  }
  return known
}

function fromHistory(
  { searchHistory }: GuestSessionData,
  page: PageRequest,
): RecentSearch | undefined {
  const entry = searchHistory.findLast(({ queryHash }) => queryHash === page.queryHash)
  if (entry === undefined) return undefined
  const startedAtMs = Date.parse(entry.executedAt)
  const id = entry.searchSessionId
  return { id, startedAtMs, touchedAtMs: startedAtMs, lastReport: null, isSaved: true }
}

/**
 * While nothing is stored for a session, the ids of its searches are derived from it, so that all
 * processes name them alike.
 */
function searchIdOf({ session, page }: Searching, nowMs: number): SearchSessionId {
  const isOld = nowMs - idTimeMs(session.id) >= SEARCH_SESSION_MS
  if (session.version > 0 || isOld) return newId('srs')
  const time = idToUuid(session.id).slice(0, 13)
  const digest = hash('sha256', `${session.id} ${page.queryHash}`)
  const [a, b, c] = [digest.slice(0, 4), digest.slice(4, 8), digest.slice(8, 20)]
  return uuidToId('srs', `${time}-${a}-${b}-${c}`)
}

/** The first search of a new guest is stored when the cookie has come back with another request. */
function saveUnlessNew(deps: IdentifyDeps, searching: Searching, search: RecentSearch): void {
  if (searching.isNewSession) return
  const isStarted = deps.background.run(`search ${search.id}`, async () => {
    try {
      await startSearch(deps, searching, search)
    } catch (error) {
      // With the next page of this search.
      search.isSaved = false
      throw error
    }
  })
  if (isStarted) search.isSaved = true
}

async function startSearch(deps: IdentifyDeps, searching: Searching, search: RecentSearch) {
  const { session, page } = searching
  const { geo, dates, occupancy } = page.query
  const executedAt = toIsoDateTime(new Date(search.startedAtMs))
  const entry: SearchHistoryEntry = {
    searchSessionId: search.id,
    queryHash: page.queryHash,
    geo,
    dates,
    occupancy,
    executedAt,
  }
  // Each is complete before the work ends, also when the other one fails.
  const results = await Promise.allSettled([
    deps.searchSessions.save(describeSearch(searching, search)),
    deps.sessions.update(session, (data) => withSearch({ ...data, lastSeenAt: executedAt }, entry)),
  ])
  const failures: unknown[] = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  )
  if (failures.length > 1) throw new AggregateError(failures, 'the search was not saved')
  if (failures.length === 1) throw failures[0]
}

function describeSearch(searching: Searching, search: RecentSearch): SearchSession {
  const { session, page, resultCount } = searching
  return {
    ...page.query,
    id: search.id,
    guestSessionId: session.id,
    queryHash: page.queryHash,
    locale: page.locale,
    currency: page.currency,
    startedAt: toIsoDateTime(new Date(search.startedAtMs)),
    lastInteractionAt: toIsoDateTime(new Date(search.touchedAtMs)),
    resultCount,
    ttlExpiresAt: toIsoDateTime(new Date(search.startedAtMs + SEARCH_SESSION_MS)),
  }
}
