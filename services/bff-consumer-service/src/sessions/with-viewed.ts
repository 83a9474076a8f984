import {
  type GuestSessionData,
  RECENTLY_VIEWED_MAX,
  type RecentlyViewedEntry,
} from './guest-session.ts'

/**
 * The newest is last, and a hotel is there once: looking again moves it to the end. Beyond the
 * bound the oldest is forgotten (domain model §2.1).
 */
export function withViewed(data: GuestSessionData, entry: RecentlyViewedEntry): GuestSessionData {
  const others = data.recentlyViewed.filter(({ propertyId }) => propertyId !== entry.propertyId)
  return { ...data, recentlyViewed: [...others, entry].slice(-RECENTLY_VIEWED_MAX) }
}
