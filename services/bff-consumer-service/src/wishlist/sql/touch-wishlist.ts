import { type Statement, sql } from '@melmastoon/chassis/db'
import { type GuestSessionId, idToUuid } from '@melmastoon/domain'

/** The guest is still there, and so are her wishes. */
export function touchWishlist(guestSessionId: GuestSessionId): Statement<unknown> {
  return sql`
    update wishlist_anonymous set session_seen_at = now()
    where guest_session_id = ${idToUuid(guestSessionId)}::uuid
      and session_seen_at < now() - interval '1 hour'`
}
