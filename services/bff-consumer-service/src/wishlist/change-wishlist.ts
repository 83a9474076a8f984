import type { Tx } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import type { GuestSessionId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { lockWishlist } from './sql/lock-wishlist.ts'
import { syncWishlist } from './sync-wishlist.ts'

export interface ChangedWishlist<T> {
  readonly result: T
  /** The guest has left in the meantime. */
  readonly isOrphan: boolean
}

/**
 * The database decides, one change of a guest's wishlist at a time; the session follows. When it
 * cannot, the change stands, and the next look at the wishlist mends the session.
 */
export async function changeWishlist<T>(
  ctx: ConsumerContext,
  guestSessionId: GuestSessionId,
  change: (tx: Tx) => Promise<T>,
): Promise<ChangedWishlist<T>> {
  return await ctx.wishlistTurns.take(guestSessionId, async () => {
    const result = await ctx.db.transaction(async (tx) => {
      await tx.query(lockWishlist(guestSessionId))
      return await change(tx)
    })
    crashPoint('wishlist.after_commit')
    return { result, isOrphan: await follow(ctx, guestSessionId) }
  })
}

async function follow(ctx: ConsumerContext, guestSessionId: GuestSessionId): Promise<boolean> {
  try {
    return (await syncWishlist(ctx, guestSessionId)) === null
  } catch (error) {
    ctx.errors.report('wishlist', error)
    return false
  }
}
