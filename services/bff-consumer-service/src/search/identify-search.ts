import type { Session } from '@melmastoon/chassis/sessions'
import { type GuestSessionId, newId, type SearchSessionId, toIsoDateTime } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import type { GuestSession, SearchHistoryEntry } from '../sessions/guest-session.ts'
import { withSearch } from '../sessions/with-search.ts'
import type { PageRequest } from './search-query.ts'
import { SEARCH_SESSION_MS, type SearchSession } from './search-session.ts'

/** A search of a guest that this process has seen lately. */
export interface RecentSearch {
  readonly id: SearchSessionId
  readonly startedAtMs: number
  touchedAtMs: number
  /** The page whose telemetry was decided last, and when. */
  judged: { readonly pageKey: string; readonly atMs: number } | null
}

export interface Searching {
  readonly session: Session<GuestSession>
  readonly page: PageRequest
  readonly resultCount: number
}

/** How exact `lastInteractionAt` is; more would be a write for every page. */
const TOUCHED_EVERY_MS = 60_000

/**
 * The same question of the same guest within an hour is one search, over all of its pages; after
 * that it is a new one. What has to be written is written behind the answer.
 */
export function identifySearch(ctx: ConsumerContext, searching: Searching): RecentSearch {
  const { session, page } = searching
  const key = `${session.id} ${page.queryHash}`
  const nowMs = ctx.clock.nowMs()
  const seen = ctx.recentSearches.get(key)
  const known = seen ?? fromHistory(session.data, page)
  if (known === undefined || nowMs >= known.startedAtMs + SEARCH_SESSION_MS) {
    const begun = { id: newId('srs'), startedAtMs: nowMs, touchedAtMs: nowMs, judged: null }
    ctx.recentSearches.set(key, begun)
    ctx.background.run(`search ${begun.id}`, () => beginSearch(ctx, searching, begun))
    return begun
  }
  if (seen === undefined) ctx.recentSearches.set(key, known)
  if (nowMs - known.touchedAtMs >= TOUCHED_EVERY_MS) {
    known.touchedAtMs = nowMs
    ctx.background.run(`search ${known.id}`, () => saveSearch(ctx, searching, known))
  }
  return known
}

function fromHistory({ searchHistory }: GuestSession, page: PageRequest): RecentSearch | undefined {
  const entry = searchHistory.findLast(({ queryHash }) => queryHash === page.queryHash)
  if (entry === undefined) return undefined
  const startedAtMs = Date.parse(entry.executedAt)
  return { id: entry.searchSessionId, startedAtMs, touchedAtMs: startedAtMs, judged: null }
}

async function beginSearch(ctx: ConsumerContext, searching: Searching, search: RecentSearch) {
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
  await Promise.all([
    saveSearch(ctx, searching, search),
    ctx.sessions.update(session.id, (data) =>
      withSearch({ ...data, lastSeenAt: executedAt }, entry),
    ),
  ])
}

function saveSearch(ctx: ConsumerContext, searching: Searching, search: RecentSearch) {
  const { session, page, resultCount } = searching
  const saved: SearchSession = {
    ...page.query,
    id: search.id,
    guestSessionId: session.id as GuestSessionId,
    queryHash: page.queryHash,
    locale: page.locale,
    currency: page.currency,
    startedAt: toIsoDateTime(new Date(search.startedAtMs)),
    lastInteractionAt: toIsoDateTime(new Date(search.touchedAtMs)),
    resultCount,
    ttlExpiresAt: toIsoDateTime(new Date(search.startedAtMs + SEARCH_SESSION_MS)),
  }
  return ctx.searchSessions.save(saved)
}
