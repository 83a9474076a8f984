import type { TimeLimit } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import { isProblem } from '@melmastoon/domain'
import {
  type GuestSession,
  type GuestSessionData,
  type GuestSessions,
  WISHLIST_MAX,
  type WishlistRef,
} from '../sessions/guest-session.ts'
import { selectWishes, toWish, type WishRow } from './wishlist-sql.ts'

const ROUNDS_MAX = 4

export interface SyncDeps {
  readonly db: Pick<Database, 'query'>
  readonly sessions: Pick<GuestSessions, 'update'>
}

/**
 * Copies the wishes from the database to the session. The session is read first, the wishes after
 * it, and the result is written only over that version: every writer has read later than the one
 * before. So the last write leaves both equal, whatever the order.
 * @returns null when the session was cleared.
 */
export async function syncWishlist(
  deps: SyncDeps,
  session: GuestSession,
  deadline?: TimeLimit,
): Promise<GuestSession | null> {
  const adopt = async (data: GuestSessionData): Promise<GuestSessionData> => {
    const wishlistRefs = refsOf(await deps.db.query(selectWishes(session.id), { deadline }))
    return isSame(wishlistRefs, data.wishlistRefs) ? data : { ...data, wishlistRefs }
  }
  for (let round = 1; ; round += 1) {
    try {
      return await deps.sessions.update(session, adopt)
    } catch (error) {
      if (round === ROUNDS_MAX || !isConflict(error)) throw error
    }
  }
}

/** In the same order. */
export function isSame(one: readonly WishlistRef[], other: readonly WishlistRef[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ wishlistId }, at) => wishlistId === other[at]?.wishlistId)
  )
}

/** As sessions store them: oldest first, and within the bound. */
export function refsOf(rows: readonly WishRow[]): WishlistRef[] {
  return rows.slice(-WISHLIST_MAX).map((row) => {
    const { wishlistId, propertyId, tenantId, addedAt } = toWish(row)
    return { wishlistId, propertyId, tenantId, addedAt }
  })
}

/** Other changes of the same session came first, repeatedly. */
function isConflict(error: unknown): boolean {
  return isProblem(error) && error.code === 'MELMASTOON.GENERAL.CONFLICT'
}
