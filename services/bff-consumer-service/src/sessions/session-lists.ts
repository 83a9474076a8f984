import {
  type GuestSessionData,
  RECENTLY_VIEWED_MAX,
  type RecentlyViewedEntry,
  SEARCH_HISTORY_MAX,
  type SearchHistoryEntry,
} from './guest-session.ts'

/**
 * The newest is last, and a search is listed once; beyond the bound the oldest is dropped (domain
 * model §2.1).
 */
export function withSearch(data: GuestSessionData, entry: SearchHistoryEntry): GuestSessionData {
  const { searchSessionId } = entry
  const others = data.searchHistory.filter((search) => search.searchSessionId !== searchSessionId)
  return { ...data, searchHistory: [...others, entry].slice(-SEARCH_HISTORY_MAX) }
}

/**
 * The newest is last, and a hotel is listed once: viewing it again moves it to the end. Beyond the
 * bound the oldest is dropped (domain model §2.1).
 */
export function withViewed(data: GuestSessionData, entry: RecentlyViewedEntry): GuestSessionData {
  const others = data.recentlyViewed.filter(({ propertyId }) => propertyId !== entry.propertyId)
  return { ...data, recentlyViewed: [...others, entry].slice(-RECENTLY_VIEWED_MAX) }
}
