import {
  type GuestSession,
  RECENTLY_VIEWED_MAX,
  type RecentlyViewedEntry,
} from './guest-session.ts'

/**
 * The newest is last, and a hotel is there once: looking again moves it to the end. Beyond the
 * bound the oldest is forgotten (domain model §2.1).
 */
export function withViewed(data: GuestSession, entry: RecentlyViewedEntry): GuestSession {
  const others = data.recentlyViewed.filter(({ propertyId }) => propertyId !== entry.propertyId)
  return { ...data, recentlyViewed: [...others, entry].slice(-RECENTLY_VIEWED_MAX) }
}
