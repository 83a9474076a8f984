import { type Statement, sql } from '@melmastoon/chassis/db'
import { type GuestSessionId, idToUuid } from '@melmastoon/domain'

/**
 * One change of a guest's wishlist at a time, over all processes. A statement of its own, before
 * any that decides: one that waits for a lock decides on what it saw before it waited.
 */
export function lockWishlist(guestSessionId: GuestSessionId): Statement<unknown> {
  const guest = idToUuid(guestSessionId)
  return sql`select pg_advisory_xact_lock(hashtextextended('wishlist:' || ${guest}::text, 0))`
}
