import type { TimeLimit } from '@melmastoon/chassis/clock'
import type { Tx } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import type { ConsumerContext } from '../context.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
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
  { session, deadline }: { session: GuestSession; deadline: TimeLimit },
  change: (tx: Tx) => Promise<T>,
): Promise<ChangedWishlist<T>> {
  return await ctx.wishlistMutex.runExclusive(session.id, async () => {
    const decide = async (tx: Tx) => {
      await tx.query(lockWishlist(session.id))
      return await change(tx)
    }
    const result = await ctx.db.transaction(decide, { deadline })
    crashPoint('wishlist.after_commit')
    return { result, isOrphan: await follow(ctx, session, deadline) }
  })
}

async function follow(
  ctx: ConsumerContext,
  session: GuestSession,
  deadline: TimeLimit,
): Promise<boolean> {
  try {
    return (await syncWishlist(ctx, session, deadline)) === null
  } catch (error) {
    ctx.errors.report('wishlist', error)
    return false
  }
}
