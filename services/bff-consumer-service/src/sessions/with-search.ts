import {
  type GuestSessionData,
  SEARCH_HISTORY_MAX,
  type SearchHistoryEntry,
} from './guest-session.ts'

/** The newest is last; beyond the bound the oldest is forgotten (domain model §2.1). */
export function withSearch(data: GuestSessionData, entry: SearchHistoryEntry): GuestSessionData {
  return { ...data, searchHistory: [...data.searchHistory, entry].slice(-SEARCH_HISTORY_MAX) }
}
