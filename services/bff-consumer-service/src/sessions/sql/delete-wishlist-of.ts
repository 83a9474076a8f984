import { type Statement, sql } from '@melmastoon/chassis/db'

export function deleteWishlistOf(guestSession: string): Statement<unknown> {
  return sql`delete from bff_consumer.wishlist_anonymous where guest_session_id = ${guestSession}`
}
