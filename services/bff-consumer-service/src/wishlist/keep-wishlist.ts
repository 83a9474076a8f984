import type { ConsumerContext } from '../context.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import { touchWishlist } from './sql/touch-wishlist.ts'

/**
 * On the first visit of a day a guest's wishes are given their thirty days again, behind her back.
 * @param seen her session as it was before this visit.
 */
export function keepWishlist(ctx: ConsumerContext, seen: Pick<GuestSession, 'id' | 'data'>): void {
  const { lastSeenAt, wishlistRefs } = seen.data
  const today = ctx.clock.now().toISOString().slice(0, 10)
  if (wishlistRefs.length === 0 || lastSeenAt.slice(0, 10) === today) return
  ctx.background.run(`wishlist ${seen.id}`, () => ctx.db.query(touchWishlist(seen.id)))
}
