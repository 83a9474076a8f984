import { type Statement, sql } from '@melmastoon/chassis/db'
import { type GuestSessionId, idToUuid } from '@melmastoon/domain'

/** All of a guest's wishes, for good. */
export function deleteWishlist(guestSessionId: GuestSessionId): Statement<unknown> {
  return sql`
    delete from wishlist_anonymous where guest_session_id = ${idToUuid(guestSessionId)}::uuid`
}
