import type { TimeLimit } from '@melmastoon/chassis/clock'
import { isProblem } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import {
  type GuestSession,
  type GuestSessionData,
  WISHLIST_MAX,
  type WishlistRef,
} from '../sessions/guest-session.ts'
import { selectWishes } from './sql/select-wishes.ts'
import { toWish, type WishRow } from './sql/wish-row.ts'

const ROUNDS_MAX = 4

/**
 * Puts into the session what the database says. The session's version is read first, the wishes
 * after it, and written only over that version: whoever writes has read later than whoever wrote
 * before. So the last one leaves both equal, in whichever order the others came.
 * @returns null when the session is gone.
 */
export async function syncWishlist(
  ctx: Pick<ConsumerContext, 'db' | 'sessions'>,
  session: GuestSession,
  deadline?: TimeLimit,
): Promise<GuestSession | null> {
  const adopt = async (data: GuestSessionData): Promise<GuestSessionData> => {
    const wishlistRefs = refsOf(await ctx.db.query(selectWishes(session.id), { deadline }))
    return isSame(wishlistRefs, data.wishlistRefs) ? data : { ...data, wishlistRefs }
  }
  for (let round = 1; ; round += 1) {
    try {
      return await ctx.sessions.update(session, adopt)
    } catch (error) {
      if (round === ROUNDS_MAX || !isConflict(error)) throw error
    }
  }
}

/** The order is part of it. */
export function isSame(one: readonly WishlistRef[], other: readonly WishlistRef[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ wishlistId }, at) => wishlistId === other[at]?.wishlistId)
  )
}

/** As sessions keep them: oldest first, and never more than they may hold. */
export function refsOf(rows: readonly WishRow[]): WishlistRef[] {
  return rows.slice(-WISHLIST_MAX).map((row) => {
    const { wishlistId, propertyId, tenantId, addedAt } = toWish(row)
    return { wishlistId, propertyId, tenantId, addedAt }
  })
}

/** Other changes of the same session were quicker, again and again. */
function isConflict(error: unknown): boolean {
  return isProblem(error) && error.code === 'MELMASTOON.GENERAL.CONFLICT'
}
