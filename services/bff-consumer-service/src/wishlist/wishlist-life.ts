import type { Clock, TimeLimit } from '@melmastoon/chassis/clock'
import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import type { Database } from '@melmastoon/chassis/db'
import type { GuestSessionId } from '@melmastoon/domain'
import type { GuestSession } from '../sessions/guest-session.ts'
import { deleteWishlist, touchWishlist } from './wishlist-sql.ts'

export interface WishlistLifeDeps {
  readonly db: Pick<Database, 'query'>
  readonly background: Pick<BackgroundWork, 'run'>
  readonly clock: Clock
}

/**
 * On the first visit of a day the thirty days of a guest's wishes start again, in the background.
 * @param seen the session as it was before this visit.
 */
export function extendWishlistTtl(
  { db, background, clock }: WishlistLifeDeps,
  seen: Pick<GuestSession, 'id' | 'data'>,
): void {
  const { lastSeenAt, wishlistRefs } = seen.data
  const today = clock.now().toISOString().slice(0, 10)
  if (wishlistRefs.length === 0 || lastSeenAt.slice(0, 10) === today) return
  background.run(`wishlist ${seen.id}`, () => db.query(touchWishlist(seen.id)))
}

export async function deleteWishes(
  { db }: Pick<WishlistLifeDeps, 'db'>,
  id: GuestSessionId,
  deadline: TimeLimit,
): Promise<void> {
  await db.query(deleteWishlist(id), { deadline })
}
