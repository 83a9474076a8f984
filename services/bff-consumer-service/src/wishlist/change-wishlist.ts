import type { TimeLimit } from '@melmastoon/chassis/clock'
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
  { guestSessionId, deadline }: { guestSessionId: GuestSessionId; deadline: TimeLimit },
  change: (tx: Tx) => Promise<T>,
): Promise<ChangedWishlist<T>> {
  return await ctx.wishlistTurns.take(guestSessionId, async () => {
    const decide = async (tx: Tx) => {
      await tx.query(lockWishlist(guestSessionId))
      return await change(tx)
    }
    const result = await ctx.db.transaction(decide, { deadline })
    crashPoint('wishlist.after_commit')
    return { result, isOrphan: await follow(ctx, guestSessionId, deadline) }
  })
}

async function follow(
  ctx: ConsumerContext,
  guestSessionId: GuestSessionId,
  deadline: TimeLimit,
): Promise<boolean> {
  try {
    return (await syncWishlist(ctx, guestSessionId, deadline)) === null
  } catch (error) {
    ctx.errors.report('wishlist', error)
    return false
  }
}
