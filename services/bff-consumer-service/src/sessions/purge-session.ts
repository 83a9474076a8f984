import type { GuestSessionId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { deleteWishlist } from '../wishlist/sql/delete-wishlist.ts'

/**
 * Ends a session for good: afterwards nothing of it can be had, by nobody. The mirror is emptied
 * first, so that a failure leaves a session with which to ask again, and once more for what came
 * in until the session was gone.
 */
export async function purgeSession(ctx: ConsumerContext, id: GuestSessionId): Promise<void> {
  const emptyMirror = () => ctx.db.query(deleteWishlist(id))
  await emptyMirror()
  await ctx.sessions.clear(id)
  await Promise.all([emptyMirror(), ctx.searchSessions.deleteAll(id)])
}
