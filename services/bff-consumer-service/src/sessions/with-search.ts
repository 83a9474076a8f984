import { type GuestSession, SEARCH_HISTORY_MAX, type SearchHistoryEntry } from './guest-session.ts'

/** The newest is last; beyond the bound the oldest is forgotten (domain model §2.1). */
export function withSearch(data: GuestSession, entry: SearchHistoryEntry): GuestSession {
  return { ...data, searchHistory: [...data.searchHistory, entry].slice(-SEARCH_HISTORY_MAX) }
}
