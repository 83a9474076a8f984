import type { Section } from '@melmastoon/bff/sections'
import type { Session } from '@melmastoon/chassis/sessions'
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

const FRESH: Section = { status: 'fresh', ageMs: 0 }

/**
 * From the database; with it away, from the session, which knows the hotels but neither notes nor
 * sources. Who has no session has no wishes. A session that differs missed a change, and is mended.
 */
export async function readWishes(
  ctx: ConsumerContext,
  session: Session<GuestSession> | undefined,
): Promise<Wishes> {
  if (session === undefined) return { list: [], section: FRESH }
  const list = await readMirror(ctx, session.id as GuestSessionId)
  if (list === undefined) {
    const section = { status: 'stale', ageMs: 0 } as const
    return { list: session.data.wishlistRefs.toReversed(), section }
  }
  if (!isSame(list, session.data.wishlistRefs)) await mend(ctx, session.id as GuestSessionId)
  return { list: list.toReversed(), section: FRESH }
}

async function readMirror(
  ctx: ConsumerContext,
  guestSessionId: GuestSessionId,
): Promise<Wish[] | undefined> {
  try {
    return (await ctx.db.query(selectWishes(guestSessionId))).map(toWish)
  } catch (error) {
    if (!isProblem(error)) throw error
    ctx.errors.report('wishlist', error)
    return undefined
  }
}

async function mend(ctx: ConsumerContext, guestSessionId: GuestSessionId): Promise<void> {
  await syncWishlist(ctx, guestSessionId).catch(ctx.errors.for('wishlist'))
}
