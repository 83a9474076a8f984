import type { Section } from '@melmastoon/bff/sections'
import { shareOf, type TimeLimit } from '@melmastoon/chassis/clock'
import { type GuestSessionId, isProblem } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import type { GuestSession, WishlistRef } from '../sessions/guest-session.ts'
import { selectWishes } from './sql/select-wishes.ts'
import { toWish } from './sql/wish-row.ts'
import { isSame, syncWishlist } from './sync-wishlist.ts'
import type { Wish } from './wish.ts'

export type KnownWish = WishlistRef & Partial<Pick<Wish, 'source' | 'note'>>

export interface Wishes {
  /** Newest first. */
  readonly list: readonly KnownWish[]
  readonly section: Section
}

/** The rest of the time is for the cards: without Postgres the session still has the wishes. */
const DATABASE_SHARE = 0.4
const FRESH: Section = { status: 'fresh', ageMs: 0 }

/**
 * From the database; with it away, from the session, which knows the hotels but neither notes nor
 * sources. Who has no session has no wishes. A session that differs missed a change, and is mended.
 */
export async function readWishes(
  ctx: ConsumerContext,
  session: GuestSession | undefined,
  deadline: TimeLimit,
): Promise<Wishes> {
  if (session === undefined) return { list: [], section: FRESH }
  const list = await readMirror(ctx, session.id, deadline)
  if (list === undefined) {
    const section = { status: 'stale', ageMs: 0 } as const
    return { list: session.data.wishlistRefs.toReversed(), section }
  }
  if (!isSame(list, session.data.wishlistRefs)) await mend(ctx, session, deadline)
  return { list: list.toReversed(), section: FRESH }
}

async function readMirror(
  ctx: ConsumerContext,
  guestSessionId: GuestSessionId,
  deadline: TimeLimit,
): Promise<Wish[] | undefined> {
  try {
    const limit = shareOf(deadline, DATABASE_SHARE)
    const rows = await ctx.db.query(selectWishes(guestSessionId), { deadline: limit })
    return rows.map(toWish)
  } catch (error) {
    if (!isProblem(error)) throw error
    ctx.errors.report('wishlist', error)
    return undefined
  }
}

async function mend(
  ctx: ConsumerContext,
  session: GuestSession,
  deadline: TimeLimit,
): Promise<void> {
  await syncWishlist(ctx, session, shareOf(deadline, DATABASE_SHARE)).catch(
    ctx.errors.for('wishlist'),
  )
}
